"""Files of any kind: written aside and put in place, and read where they are not trusted."""
