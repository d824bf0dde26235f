"""Teams: several processes, on one machine or many, that train one model together."""

from gensim_bilbowa.teams.mpi import MPITeam
from gensim_bilbowa.teams.simulated import simulate
from gensim_bilbowa.teams.team import Team, working_together

__all__ = ["MPITeam", "Team", "simulate", "working_together"]
