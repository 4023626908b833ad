# half speed from 5 s on
5 0.5
3 1
