/* The one function of Windows's bcryptprimitives.dll that Rust's library calls, which Wine 8 lacks. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL ProcessPrng(PBYTE data, SIZE_T length)
{
    return RtlGenRandom(data, (ULONG)length);
}
