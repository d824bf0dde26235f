/* C99's complex functions as Windows's ucrtbase.dll has them, for Wine 8, where they are stubs.

   Complex numbers pass as structures here: Microsoft's compiler has no others. Its long double is a
   double. numpy calls these when it is imported. */
#include <complex.h>

typedef struct { double real, imaginary; } Double;
typedef struct { float real, imaginary; } Single;

static double complex double_in(Double z) { return __builtin_complex(z.real, z.imaginary); }
static float complex single_in(Single z) { return __builtin_complex(z.real, z.imaginary); }
static Double double_out(double complex z) { return (Double){creal(z), cimag(z)}; }
static Single single_out(float complex z) { return (Single){crealf(z), cimagf(z)}; }

#define TO_COMPLEX(name) \
    Double x_##name(Double z) { return double_out(name(double_in(z))); } \
    Double x_##name##l(Double z) { return double_out(name(double_in(z))); } \
    Single x_##name##f(Single z) { return single_out(name##f(single_in(z))); }
#define TO_REAL(name) \
    double x_##name(Double z) { return name(double_in(z)); } \
    double x_##name##l(Double z) { return name(double_in(z)); } \
    float x_##name##f(Single z) { return name##f(single_in(z)); }

TO_COMPLEX(cacos) TO_COMPLEX(cacosh) TO_COMPLEX(casin) TO_COMPLEX(casinh) TO_COMPLEX(catan)
TO_COMPLEX(catanh) TO_COMPLEX(ccos) TO_COMPLEX(ccosh) TO_COMPLEX(cexp) TO_COMPLEX(clog)
TO_COMPLEX(conj) TO_COMPLEX(cproj) TO_COMPLEX(csin) TO_COMPLEX(csinh) TO_COMPLEX(csqrt)
TO_COMPLEX(ctan) TO_COMPLEX(ctanh)
TO_REAL(cabs) TO_REAL(carg) TO_REAL(cimag) TO_REAL(creal)

Double x_cpow(Double a, Double b) { return double_out(cpow(double_in(a), double_in(b))); }
Double x_cpowl(Double a, Double b) { return double_out(cpow(double_in(a), double_in(b))); }
Single x_cpowf(Single a, Single b) { return single_out(cpowf(single_in(a), single_in(b))); }
