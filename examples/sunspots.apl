#!/usr/bin/env vapl
⍝ sunspots.apl - yearly mean sunspot numbers, 1700 to 1988 (the classic Zurich series). How long
⍝ is the sun's cycle? Correlate the series with itself, shifted: where it agrees best with its
⍝ own past is the cycle. Run it: vapl examples/sunspots.apl

spots←5 11 16 23 36 58 29 20 10 8
spots←spots,3 0 0 2 11 27 47 63 60 39
spots←spots,28 26 22 11 21 40 78 122 103 73
spots←spots,47 35 11 5 16 34 70 81 111 101
spots←spots,73 40 20 16 5 11 22 40 60 80.9
spots←spots,83.4 47.7 47.8 30.7 12.2 9.6 10.2 32.4 47.6 54
spots←spots,62.9 85.9 61.2 45.1 36.4 20.9 11.4 37.8 69.8 106.1
spots←spots,100.8 81.6 66.5 34.8 30.6 7 19.8 92.5 154.4 125.9
spots←spots,84.8 68.1 38.5 22.8 10.2 24.1 82.9 132 130.9 118.1
spots←spots,89.9 66.6 60 46.9 41 21.3 16 6.4 4.1 6.8
spots←spots,14.5 34 45 43.1 47.5 42.2 28.1 10.1 8.1 2.5
spots←spots,0 1.4 5 12.2 13.9 35.4 45.8 41.1 30.1 23.9
spots←spots,15.6 6.6 4 1.8 8.5 16.6 36.3 49.6 64.2 67
spots←spots,70.9 47.8 27.5 8.5 13.2 56.9 121.5 138.3 103.2 85.7
spots←spots,64.6 36.7 24.2 10.7 15 40.1 61.5 98.5 124.7 96.3
spots←spots,66.6 64.5 54.1 39 20.6 6.7 4.3 22.7 54.8 93.8
spots←spots,95.8 77.2 59.1 44 47 30.5 16.3 7.3 37.6 74
spots←spots,139 111.2 101.6 66.2 44.7 17 11.3 12.4 3.4 6
spots←spots,32.3 54.3 59.7 63.7 63.5 52.2 25.4 13.1 6.8 6.3
spots←spots,7.1 35.6 73 85.1 78 64 41.8 26.2 26.7 12.1
spots←spots,9.5 2.7 5 24.4 42 63.5 53.8 62 48.5 43.9
spots←spots,18.6 5.7 3.6 1.4 9.6 47.4 57.1 103.9 80.6 63.6
spots←spots,37.6 26.1 14.2 5.8 16.7 44.3 63.9 69 77.8 64.9
spots←spots,35.7 21.2 11.1 5.7 8.7 36.1 79.7 114.4 109.6 88.8
spots←spots,67.8 47.5 30.6 16.3 9.6 33.2 92.6 151.6 136.3 134.7
spots←spots,83.9 69.4 31.5 13.9 4.4 38 141.7 190.2 184.8 159
spots←spots,112.3 53.9 37.5 27.9 10.2 15.1 47 93.8 105.9 105.5
spots←spots,104.5 66.6 68.9 38 34.5 15.5 12.6 27.5 92.5 155.4
spots←spots,154.7 140.5 115.9 66.6 45.9 17.9 13.4 29.2 100.2
years←1699+⍳≢spots
n←≢spots
mean←{(+/⍵)÷≢⍵}

'SUNSPOTS, 1700 TO 1988'
'years' n
'mean' (mean spots)
'most' (⌈/spots) 'in' ((spots=⌈/spots)/years)
'years without any' ((spots=0)/years)

⍝ Autocorrelation at a lag of k years: the product of the series, freed of its mean, with
⍝ itself k years later, as a part of its own square.
z←spots-mean spots
auto←{(+/(⍵↓z)×(-⍵)↓z)÷+/z×z}
lags←⍳25
r←auto¨lags
'autocorrelation at lags of 1 to 12 years, in thousandths'
⌊0.5+1000×12⍴r

⍝ The cycle: the best lag of more than half a cycle, here beyond five years.
long←5↓r
'best lag' (5+(long=⌈/long)/⍳≢long) 'years, correlation' (⌈/long)

⍝ Maxima: years that are above the three before them and not below the three after. The series
⍝ with three years of nothing at each end keeps all seven shifts at one length.
p←(3⍴¯1),spots,3⍴¯1
shifted←{n⍴⍵↓p}
above←{spots>shifted ⍵}
peak←(above 0)∧(above 1)∧(above 2)∧~(spots<shifted 4)∨(spots<shifted 5)∨spots<shifted 6
peak←peak∧(years>1702)∧years<1986
maxima←peak/years
'maxima' (≢maxima)
2 13⍴maxima
gaps←(1↓maxima)-¯1↓maxima
'mean length of a cycle' (mean gaps) 'years; shortest' (⌊/gaps) 'longest' (⌈/gaps)

⍝ The quiet time of about 1800 to 1820 (Dalton's minimum): the thirty years with fewest spots.
k←30
s←0,+\spots
w←((k↓s)-(-k)↓s)÷k
start←((w=⌊/w)/⍳≢w)
'quietest thirty years begin in' (years[start]) 'with a mean of' (⌊/w)
