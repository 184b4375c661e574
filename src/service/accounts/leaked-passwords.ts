/**
 * Passwords that lists of leaked ones hold, and @zxcvbn-ts/language-common does not: of eight characters and more, folded
 * (`folded` of account-names.ts), in the order of the alphabet. Their sources: all of Django's common-passwords.txt.gz (Royce
 * Williams; BSD-3-Clause), all of John the Ripper's password.lst (Openwall; public domain), the first 5,000 of the ten
 * million of SecLists (MIT), and what people in China choose. One character over and over is refused by a rule.
 */
export const leakedPasswords = `
!@#$%^&* #1stunna &#2336brayden &heartstracker -deleted- 00001111 000webhost 00110011 00112233 001579238
007007007 01010101 01012009 01021991 01022010 01031990 01041984 01041991 01061989 01071991 01081984 01081991
01092010 01101986 01101990 011151zangetsu 01121989 01230123 01234567 012345678 0123456789 01470147 02021992
02021993 02022009 02031993 02031995 02041990 02041991 02061992 02071991 02081990 02091990 02111989 02121986
02121988 02121990 03011990 03021990 03031994 03041988 03041990 03051989 03051993 03061989 03061992 03071990
03071992 03081987 03081990 03081992 03091987 03091990 03091991 04021988 04022000 04031990 04041989 04041995
04051989 04091987 04091991 04101988 04111987 04111992 05011988 05011990 05021991 05021993 05031989 05051992
05051993 05071989 05071990 05071991 05081980bija 05111992 05121989 05200520 06011986 06011991 06021983
06021988 06031989 06041989 06041990 06051988 06051989 06051990 06061989 06071989 06091987 06091991 06101987
06101991 06121988 07021990 07031991 07041990 07051988 07051989 07051992 07061990 07081992 07091987 07101989
08011987 08021988 08021991 08031991 08031992 08041989 08061988 08061990 08061992 08081992 08091989 08101987
08101989 08121989 08520852 09011991 09031990 09031991 09041988 09051988 09061976 09061986 09061989 09061991
09071988 09071990 09071991 09090909 09091987 09091991 09101988 09876543 0987654321 0987654321q 0icotpd785
0r968ji9ufj6 1,00001e+14 10011987 10031992 10051993 10071991 10091991 10101010 1010101010 10101992 10101993
10121990 10121991 10200718 10201020 10971199 110110110 11021991 11021992 11021993 11031989 11031991 11031992
11041993 11051991 11071990 11081992 11091988 11110000 11111988 11111989 11121989 111222tianya 11223343
119872653 1200nerds 12011991 12031991 12041989 12041994 12051992 12051993 12081989 12101961 1211109032
12121212 1212121212 12152325 123123123 123123123123 123123aa 12341234 1234512345 123456123456 123456789+
1234567890- 1234567890-= 1234567890123 12345678901234567890 1234567890qwertyuiop 1234567891011
123456789101112 123456789123456 1234567891234567 123456789123456789 1234567898 123456789h 12345678b
12345678j 12345678k 12345678r 1234567c 1234567g 1234567h 1234567n 1234567p 1234567qq 1234567y 123456abcd
123456asdf 123456az 123456mm 123456ok 12345six 1234five 1234love 123a123a 123abc456 123admin32 123admin321
123admin321a 123odidol 123password 123q123q 123soleil 123stella 12qw23we 13011986 13011993 13021992 13031992
13041991 13051991 13051992 13071992 13071993 13081991 13121987 13131313 13141314 13145200 1314520520
13241324 13301827475 13489277 13571357 1357913579 1357reti99 13587930210 13791379 139381512 13marino
14011991 14021992 14041989 14051993 14061990 14081991 14091991 14111990 14121412 14141414 1420839army
143143143 14531453 14629227 147147147 15011991 15011992 15021987 15021989 15031992 15041986 15041989
15041990 15041993 15061990 15071989 15071991 15071992 15091990 15101992 15111990 15111991 15121990 15151515
154322358 15516210 15727666 15731573 1590736tany 159159159 159258357 16011990 16031991 16041987 16041990
16041993 16051980 16061989 16061992 16071988 16081988 16081989 16081991 16091991 16101989 16101992 16121989
16161616 16246149 168asd168 17011991 17021990 17021991 17021992 17031988 17031991 17041990 17051991 17051992
17051993 17061992 17071991 17081989 17081992 17091991 17101990 17101991 17101992 171204jg 17121990 17171717
18011990 18011991 18021991 18021993 18031993 18041987 18051986 18051992 18061988 18061992 18081990 18091991
18101988 18101990 18111988 18111989 18121992 18181818 18297649 18atcskd2w 18n28n24a5 19021986 19021987
19021988 19031903 19031990 19041992 19051905 19061989 19071907 19081990 19081991 19081992 19091992 19101993
19121987 19191919 19451945 19541954 19561956 19571957 19581958 19591959 19601960 19611961 19621962 19631963
19641964 19651965 19661966 19671967 19681968 19691969 19701970 19711971 19721972 19731973 19741974 19751975
19761976 19771977 19781978 19791979 19801980 19810301 19811981 19821108 19821982 19831983 19841984 19851985
19861986 19871987 19881988 19891989 19901990 19911991 19921992 19931993 1993ga4mi 19941028 19941994 19951995
19960122 19961996 19971997 19981998 19991999 1a1a1a1a 1america 1anthony 1asdfghjkl 1babyboy 1babygirl
1baseball 1basketbal 1bigdaddy 1butterfly 1chocolate 1computer 1destiny 1football 1fptjtl919 1fr2rfq7xl
1g2w3e4r 1gangsta 1grandma 1hotmama 1iloveyou 1life2live 1michelle 1moretime 1myspace 1ofakind 1olmetec1
1onelove 1princess 1q1q1q1q 1q2w3e4r5t6 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o
1q2w3e4r5t6y7u8i9o0p 1qaz1qaz 1qaz2wsx3e 1qwertyuio 1sexybitch 1sunshine 1superman 1treehill 1truelove
1ty2an3ja 1urkilbth674 1v7upjw3nt 1zn6fpn01n 1zn6fpn01x 20002000 20011991 20012001 20021987 20021989
20021992 20022002 20032003 20041992 20042004 20051992 20052005 20061992 20062006 20070509031 20071990
20072007 20072008 20081988 20082008 20082009 20092009 20092010 20102010 20112011 20121987 20121990 20122012
2012comeer 20202020 21011992 21031991 21041989 21051987 21052003 21061990 21071994 21111992 21121992
21152117 21212121 21864812 22011987 22011989 22011991 22011993 22021987 22021992 22031989 22031990 22041989
22041990 22041993 22071972 22101987 22101989 22101991 22111989 22111990 22111991 22152182 22janv67 23011991
23011992 23021990 23021993 23031991 23041989 23041990 23041992 23051988 23081988 23081990 23081991 23091988
23091994 23101990 23111990 23232323 23456789 23628221 24011991 24011992 24021989 24021990 24041991 24041992
24061989 24061990 24071988 24091990 2416101113 24242424 24682468 24862486 25011987 25011991 25021989
25021990 25031988 25031992 25031993 25041989 25051990 25051992 25081994 25101990 25111985 25111989 25111992
25121989 25121990 25252525 25257758 25393275 25nuvaha 26011988 26011993 26021988 26021989 26031992 26041987
26061990 26071985 26071990 26091988 26091989 26091991 26101989 26111986 26111989 26121990 26262626 26665806
27021985 27021987 27031990 27041989 27041993 27051989 27051992 27071986 27071989 27071990 27071991 27081988
27101986 27101990 27101992 27111992 27121990 27140621 27254931 27272727 27352735 27412678 28011991 28021988
28031988 28031990 28031991 28041989 28041990 28041991 28051992 28061990 28081976 28091988 28091990 28091992
28101991 28111990 28282828 29011991 29011992 29021988 29031989 29031991 29041990 29041992 29051988 29051991
29071990 29071993 29081986 29091991 29101991 29101992 29111985 29271188 29422277 29694419 299kgj8hgf
29rsavoy 2blessed 2cxdn8s271 2kroliczek 2pacshakur 2password 2q2w3e8r5t 2sisters 3.1415926 30011992 30031987
30031989 30041992 30051992 30071987 30071990 30071991 30081986 30081990 30091987 30101985 30101990 30111986
30111989 30111990 301285mn 31011989 31051988 31051990 3106934abc 31071988 31081981rs 31101988 31101989
31121992 312881040 31313131 31x7t5xbke 321321321 32323232 32342711 34343434 3526535265 35365123 369369369
39073588 393041123 3d8cubaj2e 3daysgrace 3odi15ngxb 3qdlqb49js 3rjs1la2qe 3rjs5la8qe 3s43pth5aea 3sisters
3tktkthth 3tutso24qf 41034103 421uiopy258 43214321 4391634m 43922572 44442013vkkv 44f16f17f 45454545
45533990 456456456 46265216 47593893 476730751 4children 4everlove 4myspace 4wheeler 50505050 51200000
51615801 52013140 5201314520 520love101182 52253823 53472235 54226269 5532361cnjqrf 55665566 56565656
5845201314 59230120 5a8b9c2d 5children 5plk4l5uc7 5x1cjdsb9p 5xfgs3ii9d 609609609 622906268 62543234
63145151 634142554 64impala 65mustang 67529353 67mustang 6817zd57 68582988 69664848 69696969 69charger
69cougar 69mustang 6hbf28w791 6strings 6v21wbgad 71191926 723723723 73439984 74107410 74699723 774517397
776158ab 786786786 78787878 789789789 791159392 8-9899578642 80173rroom5 80fefune 814336633 82214989
82597971 83742222 849vak17 85208520 85218812 85726648 87654321 87654321q 89058895869cth 89173371487v
89272585 89898989 8ix6s1fceh 9-11-1961 90909090 9121318barssuki 91866709 9198425200 92246247 92298899
92dk2cidp 92k2cizcdp 94246843 94327579 9508402243id 95135876 98765432 987654321 9876543210 9876543211
987654321q 98989898 <password> ??????@mail.ru @bigmir.net a1169619 a12121212 a12b13c14 a1a1a1a1 a5201314
a6543210 a838hfid aa12345678 aa224466 aa261599 aaa123123 aaaaaaaa1 aaaaaaaaa1 aaliyah1 aaron431 abbey2010
abc123123 abc1234567 abcabc123 abcdefg123 abcdefgh abcdefgh1 abcdefghi abcdefghi1 abcdefghij abenteuer
abraham1 acropolis aczx7812 ad123456 adams33486 addison1 addl0223 adekunle adidas123 admin1234 adrian12
adrian123 adrienne1 aerosmith1 agnieszka1 agustina ahbird1984 ahmed123 airborne1 airplane1 airsoft1
akademiks11 akax89wn akopa123 aksrms8010 alejandra1 alejandro2 alexander2 alexander3 alexander7 alexis09
alexis10 alexis11 alexis12 alexis123 alexis13 alfonso1 alfred19 aliceadsl alladin79 allahakbar allahis1
alliswell allmine1 allrecipes allyson1 almario927 almighty1 alondra1 alyssa12 alyssa123 amanda13 amanda21
amanda22 amdturion64 america10 america12 america123 america13 amoramor amoreterno amoureuse anastasia1
anderson1 andg1705 andi121382 andre1986 andrea123 andreita andrey1412ua andrusic1 anetka11 angedemon
angel101 angel1234 angel675 angela123 angelbaby angelbaby1 angeleyes1 angelica1 angelina1 angelito1 angels12
angels123 angelseye22 angie123 ania1986 annabelle1 anno1602 anthony! anthony01 anthony07 anthony08 anthony10
anthony11 anthony123 anthony13 anthony14 anthony15 anthony21 anthony22 anthony23 anthony6 antoine1
antoinette antonio123 anything1 aobo2010 applepie1 approtec april123 apsk54321 aptx4869 aquarius1
arabella24630 arcobaleno argentina1 arkansas1 armando1 armorgames armstrong1 arschloch1 arsenal11 arsenal12
as790433 asasasas asassin1997 asd666fds asdasd666 asdasdasd asdasdasd1 asdf123456 asdf3423 asdf;lkj
asdfbeans1 asdfghjk1 asdfghjkl0 asdfghjkl12 asdfghjkl; asdfghjklhudson1 asdfghjklwinston1 asdfjklknight
asemmanis ashanti1 ashleigh1 ashley08 ashley09 ashley13 ashley14 ashley15 ashley16 ashley17 ashley18
ashley21 ashley23 assassin1 assface1 asshole! asshole. asshole12 asshole69 asswipe1 astrid29 atlantis1
atlars10 attitude1 audi1991 audiopel aug!272010 august13 august14 august18 august23 august26 august27
augustine austin10 austin13 automobil avalon08 awei1616 awesome! aysa2423 b123456789 b2spirit b4272327
babababa babatunde baby2008 baby2009 babybaby1 babybear1 babyblue1 babyboo1 babyboy12 babyboy123 babyboy2
babyboy3 babycakes1 babydoll1 babyface1 babygirl! babygirl01 babygirl06 babygirl07 babygirl08 babygirl09
babygirl10 babygirl11 babygirl12 babygirl13 babygirl14 babygirl15 babygirl16 babygirl17 babygirl18
babygirl19 babygirl20 babygirl21 babygirl22 babygirl23 babygirl24 babygirl3 babygirl4 babygirl5 babygirl6
babygirl69 babygirl7 babygirl8 babygirl9 babygurl1 babygurl12 babygurl13 babygurl14 babygurl2 babylove1
babymama1 babyphat1 backsdau backspace1 backstreet badbitch1 badboy12 badgirl1 badoobadoo baggies1 bahia1979
bailey123 baili123com baller10 baller11 baller12 baller123 baller13 baller21 baller22 baller24 ballerina
ballin12 baltimore1 bambolina banana11 banana123 bandit123 bangbang1 barbie12 barbie123 barbiegirl
barcelona1 barcelone baseball! baseball. baseball08 baseball09 baseball13 baseball14 baseball15 baseball16
baseball17 baseball18 baseball19 baseball20 baseball22 baseball23 baseball24 baseball25 baseball33 baseball4
baseball5 baseball6 baseball8 basketbal1 basketbal9 basti_1014 batista1 bayern94 bball123 bbleo1zz bearbear1
beast556 beastie0 beatrice1 beautiful2 because1 beethoven9 behappy1 bela2404 believe1 belinea85 bellissima
benfica1 benjamin15 benny123 bestfriends bettina23 bettyboop1 beyonce1 bff4ever bigballs1 bigbooty1 bigboss1
bigboy123 bighead1 bigmama1 bigmoney1 bigpimp1 bigpimpin1 billabong1 billiejoe1 billybob1 birdie123 biscotte
biscuit22 bismillah1 bitch101 bitch1234 bitch666 bitchass1 bitches! bitches2 bkl29m2bk bl8lygb0 blabla123
blablabla blablabla1 blackbird1 blackcat1 blackcat123 blackdog1 blackhawk1 blackjack1 blackman1 blackout1
blackrose1 blackwater blahblah1 blake123 blessed2 blessed7 blessing1 blink123 blkdrag0ns blogs123 blood4life
blossom1 blueberry1 bluebird1 blueboy1 blueeyes1 bluemoon1 bobcats1 bobesponja bobmarley1 boguska123
bollocks1 bonjovi1 booboo123 boomboom1 bootsie1 borboleta borec123654 boricua1 bossman1 boulette boyfriend1
brandnew1 brandon! brandon01 brandon10 brandon11 brandon12 brandon123 brandon13 brandon4 bratz123 braxton1
brayden1 breanna1 brendon1 brianna2 briciola brighton1 brinchen23 britt123 brittany12 brittany2 brittney1
broadband1 broadway1 brodie10 brokenhear brooke12 brooke123 brooklyn2 brothers1 browneyes1 brownsugar
brucelee1 bryant24 bubble01 bubblegum1 bubbles! bubbles12 bubbles123 bubbles13 bubbles3 bubbles7 buckeyes1
buddyboy1 budweiser1 bugsbunny1 bullet695 bullet83 bumblebee1 bushido1 business1 butter12 buttercup1
butterfly! butterfly0 butterfly2 butterfly3 butterfly4 butterfly5 butterfly6 butterfly7 butterfly8
butterfly9 butters1 buttface1 butthead1 butthole1 buzhidao bvp33w7epu byusdg23 c.ronaldo c0mputer c1234567
c123456789 cabbage1 cadillac1 caitlyn1 camel232 cameron12 cameron123 cameron3 campbell1 canada123 candace1
candice1 candy101 candycane1 candygirl candygirl1 candyman1 capitals11 capricorn1 capricornio caramel1
caramella cardinal1 cardinals1 carebear1 carebears carebears1 career121 carlitos1 carlos13 carmelo1
carmelo15 carol123 caroline. carollo12 carpediem1 carpenter1 casanova1 cashmoney1 cassandra1 cassie123
castillo1 cat15175 catalina1 catdog12 catdog123 catherine1 ccopacell1 cds04121989 celinesimon cellphone1
celtic123 cepetsugih ch0c0late chandler1 chanelbag change1234 chantel1 chargers21 charity1 charlene1
charley1 charlie! charlie01 charlie10 charlie11 charlie12 charlie13 charline charly2004 charmed3 chasity1
cheater1 cheer101 cheer123 cheerleade cheese11 cheese123 cheguevara chelle1234 chelsea11 chelsea12
chelsea123 chelsey1 chemical1 chemistry1 cherries1 cherry123 cherry13 chevelle1 chevrolet1 chicca39
chicharito chicken! chicken11 chicken12 chicken3 chicken5 chicken7 chickens1 chihuahua1 children1 children3
children4 china123 chipper10 chiquita1 chitown1 chivas#1 chivas10 chivas100 chivas11 chivas12 chivas123
chivas13 chocolate! chocolate2 chocolate3 chocolate4 chocolate5 chocolate7 chocolate8 chocolate9 choupette
chris101 chris1234 christelle christian2 christian7 christina1 christina2 christine1 christmas1 christmas2
christoph89 chronic420 chutrung cindy123 cingular1 cinnamon1 cjcamron1 cjmasterinf cksdnd12 clarence1
clarinet1 clarissa1 class2010 classof06 classof07 classof08 classof09 classof200 classof201 classroom
clementine cleopatra1 cleveland1 clifford1 clochette cm6e7aumn9 coca-cola cocaine1 coccinella cocococo
coconut1 coldplay1 colocolo colombia1 colorado1 columbia1 comeon11 compton1 computer11 computer123 computer2
concetta concrete1 confused1 conpro73 contrase converse1 cookie01 cookie23 cookiemons cookies! cookies12
cookies123 cookies2 cool123456 coolbeans1 coolboy1 coolcat1 cooldude09 cooldude1 coolgirl1 coolkid1
coolness1 cooper123 corazon1 cordell123 coregmedia corentin cornflake countryboy couponmom couponsc10
courage1 courage9 courtney12 couscous cowboys12 cowboys22 cowboys81 cowboys9 cowgirl1 cr1st1an crackers1
crackhead1 crazy101 crazybitch crazydog crazygirl crazygirl1 crip4life cristal1 cristian1 cristiano7
cristina1 cronaldo7 crowbird cruzazul1 crybaby1 crystal12 crystal123 cucciola cunningham cupcake12
cupcake123 cupcake2 cupcakes1 cutie101 cutie123 cutiepie1 cutiepie12 cutiepie2 cxy831126 czsxumtf d04081999
d0r1nc0urt d123456789 d1e234tp d2xyw89sxj d6ug7epz d71lwz9zjs d9189498 d9zufqd92n dabears1 dadadada
daddygirl1 dadounet dakota123 dalbas73 dallas123 dallas214 damilare dance4life dancer12 dancer123 dancing1
dangerous1 dangerous12 daniel07 daniel13 daniel14 daniel15 daniel16 daniel17 daniel18 daniel22 daniel23
danielito danielle12 danielle2 dannyboy1 dardevilk daredevil1 darkangel1 darkside1 darkstar1 darlene1
darnell1 darrell1 daughter1 davidic1 dd123456 deandre1 dearbook deathnote1 december10 december11 december12
december13 december14 december15 december16 december17 december18 december19 december20 december21
december22 december23 december25 december28 december31 dedamiwa dedewang defender101 deftones1 degrassi1
dei3mutter delicious1 delilah1 delivered delpiero10 demilovato demon1234 demon12345 demon1q2w3e
demon1q2w3e4r demon1q2w3e4r5t den221991 dennis123 desadesa deshawn1 designer1 desiree1 desmond1 destiny12
destiny123 destiny3 destiny5 detroit313 deusefiel devildog1 dewayne1 dfa72dfj dfg5fhg5vgfh1 diamond12
diamond123 diamonds1 diciembre dickhead1 didididi dieguito dietcoke1 digimon1 dimas34rus dimebag1 dimples1
dingdong1 dinosaur1 diosesamor diosesfiel dirtbike1 disturbed1 divorce1 diwtgm8492 dkssud12 dkxjizc282
dlfaor09 dmsgk0103 dodgeram1 doglover1 dogshit1 dolores1 dolphins13 domenica dominican1 dominick1 dominique1
donovan1 dontforget dontknow1 doodlebug doodlebug1 doodles1 dookenr1 doomsayer.2.7mords.v
doomsayer.2.7mords.vv dopeboy1 doudoune dpbk1234 dr.pepper dragonfly1 dragoste dramaqueen drowssap1
drpepper1 dt123456 dupadupa dutchess1 dynasty1 e123456789 e2yfp41b e3r4t5y6 earnhardt3 eastside1 eastside13
easyas123 echizen18 ecuador1 education1 edward123 edward17 edxk20qmfs ee19920528 eh1k9oh335 ehdgnl12
einstein1 elcubano1893a electric1 electrical element123 elisabeth1 elisabetta elizabeth0 elizabeth2
elizabeth3 elizabeth5 elizabeth7 elizabeth8 elizabeth9 ellie123 emachines1 emanuel1 emerica1 eminem123
emmanuel1 emmanuelle emotional employment engel00007 engelchen engineer1 enocnayr eqes606898 ernesto1
esidez57 esmeralda1 esperanza1 esteban1 estrella1 estrellita eternity1 ethanryan01 etnxtxsa65 evolution1
expert12 ezekiel11989 ezekiel11991 f1uuhza723 fabregas4 fabulous1 faca210898 facebook1 faithful1 falcons7
fallen_angel falp5050 familia1 familiyafamiliya family12 family123 family1st familyguy1 fantastic4
farfallina farmacia fashion1 father123 fearless1 feder_1941 felipe123 felix1952 fenchel55 fener1907
fenohasina39 fernanda1 fgjrfkbgcbc34 ficken76 fiesta01 film@123 find_pass fiorella fireball1 firebird1
firefox1 fisherman1 fishing2 fk3456abc flamingo1 fletcher1 florence1 flower11 flower123 flowerpot
flowerpower flowers123 fluffy12 fluffy123 football! football. football01 football07 football08 football09
football11 football13 football14 football15 football16 football17 football18 football19 football20
football21 football22 football23 football24 football25 football27 football28 football3 football32 football33
football34 football4 football44 football45 football54 football55 football56 football69 football77 football8
football88 football9 football99 forever12 forever123 forever2 forever3 forever4 forever7 forgotten1
forzainter forzajuve forzamilan forzanapoli foxracing1 fqrg7cs493 fragolina francesca1 francisco1 francoise
franklin1 freckles1 frederick1 freebird1 freedom! freedom12 freedom123 freestyle1 freeze112 fresh123
friends! friends12 friends123 friends2 friends3 friends4 friends4ev friends5 friends7 frisco415 froggie1
fu7u4a#$$$ fuchurli fucker123 fuckers1 fuckface1 fuckfuck1 fucklife1 fucklove1 fucklove13 fuckme12 fuckme123
fuckoff! fuckoff123 fuckoff69 fuckthat1 fuckthewor fuckthis1 fucku123 fuckyou. fuckyou01 fuckyou09 fuckyou10
fuckyou11 fuckyou13 fuckyou21 fuckyou22 fuckyou23 fuckyou3 fuckyou4 fuckyou420 fuckyou5 fuckyou666 fuckyou88
fuckyou9 fuckyouall fuckyoubit fullaccess fullmetal1 funmilola funny123 fxzz75$yer fxzz75yer fylhtq12
fysihz5g g13916055158 g9l2d1fzpy gabby123 gabriel123 gabriela1 gabriella1 gabrielle1 gambion32 gameboy1
gamecube1 games123 gammaphi gangsta12 gangsta123 gangsta2 gangsta6 gangster12 ganja420 garfunkel gatorade1
gdcc9921 geheim123 gerardo1 gerrard1 getmoney1 getmoney2 gettherefast gfs2z6wb gigaman8891 giggles1
giovanni1 giraffe1 girlpower girls123 girlsrule girlygirl1 giselle1 giulietta glamorous1 glitter1 godbless1
godblessme godfather1 godhelpme godim001 godisable godisgood1 godislove1 godlovesme godsmack1 godzilla1
gogogogo goldberg1 goldfish1 golfcourse golfinho gonzalez1 good-luck goodgirl1 goodgood goodluck1 goodtimes1
google.com googletester gopher12 gorgeous1 gossipgirl gotmilk1 gotohell1 graciela graffiti1 grandad1
grandma2 grandpa1 grateful1 greenbay1 greenday! greenday12 greenday2 greeneyes1 grenouille gretchen1
gribouille grinface gtavicecity guadalupe1 gualapmi guardian1 guatemala1 guest123 guillermo1 guitar123
gummybear gummybear1 gunsnroses gutschein gwapoako gwarmonster gwerty123 gymnastics h1xp2z2duk h2vwdubjx4
h4t3cr3w hacker123 hahaha123 hahahaha haley123 hallohallo halloween1 hallowell hamburg15 hamburger1
hamilton1 hammer123 hampton1 handsome1 hannah10 hannah123 hannah13 hannahmont hannover96 hans4queck
happiness1 happy1234 happyday1 happydays1 happyfeet happyfeet1 happygirl harekrishna harley123 harrypotte
harvick29 hateyou1 hawaii808 hawaiian1 hawkesbury93 hbhc8290826 he635789 heart123 heartbreak heartbroke
heartless1 heather12 heather123 heavenly1 heeren981a heitor250493 hejhej123 hellboy1 hellfire1 hello12345
hellomoto1 henderson1 henni1907 herbalife hercules1 hermione1 hermosa1 hernandez1 hester23 heterosexual
hey12345 heyheyhey heyheyhey1 heythere1 hgrfqg4577 highschool hilaryduff hillbilly1 himanshu hiphop123
histoire historia history278 hm9958123 hockey15 hockey16 hockey17 hola1234 hollie99 hollister2 hollister3
hollywood2 holuha00 holyshit1 holyspirit home0401 home1234 homeboy1 homelesspa homework1 honda125 honduras1
honesty1 honey215 honeybee1 honeybun1 honeybunny hoodnigga1 horse123 horses12 horses123 hotchick1 hotdog123
hotgirl1 hotmail.com hotmail1 hotmail123 hotmama1 hotpink1 hotstuff1 hottie01 hottie101 hottie11 hottie12
hottie123 hottie13 hottie14 hottie69 houston713 hshn7669 huangfeisuny huhbbhzu78 hunter07 hunter08 hunter10
hunter13 hurensohn hurricane1 husband1 hx28o9e646 iamcool1 iamnumber1 iamthebest ibanezjs ibicguwjic
icecream1 icecream12 icecream2 ichliebedi ichliebedich icthus01 icxkyb7972 id6c3wr6un idontcare1 ig4abox4
igetmoney1 ignoranto ihateyou! ihateyou2 il0vey0u il0veyou ilcerchio ilds4edad ilikepie1 ilov3you ilove123
ilovealex ilovealex1 iloveboys iloveboys1 ilovecats ilovechris ilovedavid ilovedogs ilovedogs1 ilovegod1
iloveher1 ilovehim! ilovehim1 ilovehim12 ilovehim2 iloveindia ilovejoe ilovejoe1 ilovejohn ilovejohn1
ilovejosh ilovejosh1 ilovejusti ilovematt ilovematt1 iloveme! iloveme12 iloveme123 iloveme3 ilovemike
ilovemike1 ilovemom1 ilovemybab ilovemydad ilovemyfam ilovemykid ilovemykids ilovemymom ilovemymum
ilovemysel ilovenick ilovenick1 iloveryan iloveryan1 ilovesam1 ilovesex1 iloveu12 iloveu123 iloveu13
iloveu22 iloveyou. iloveyou0 iloveyou01 iloveyou07 iloveyou08 iloveyou09 iloveyou10 iloveyou13 iloveyou14
iloveyou15 iloveyou16 iloveyou17 iloveyou18 iloveyou19 iloveyou20 iloveyou21 iloveyou23 iloveyou24 iloveyou3
iloveyou4 iloveyou5 iloveyou6 iloveyou69 iloveyou7 iloveyou8 iloveyou88 iloveyou9 iloveyou<3 iloveyouba
iloveyouso iloveyoux3 iluvyou1 iminlove imissyou1 immortal1 imnumber1 imthebest imthebest1 imyaimyaimya
inactive1996aug independen indya123 ineedyou infamous1 infinito infinity1 informix ingo10477 inibif47
instructor integrity inter123 inter1908 internazionale inuyasha1 inuyasha12 iopjkl12 irock123 isabel972
isabelle1 istanbul34 itsmylife iw14fi9j iw14fi9jwqa iw14fi9jxl j12345678 j123456789 j1v1fp2bxm j38ifubn
j4n4jel4 j5644574 jackass123 jackie12 jackie123 jackjack1 jackmore1 jackson12 jackson123 jadebibou
jaigurudev jaihanuman jalisco1 james1234 jamesbond1 jandre007 janelle1 japanese92 jarox1301! jasmine01
jasmine11 jasmine12 jasmine13 jasmine4 jasper123 jaw138whet330 jayden07 jayden08 jazzy123 jbuster13 jcdenis1
jdd04257 jeanette1 jefferson1 jeffhardy1 jehovah1 jellybean1 jennifer12 jennifer2 jeremiah1 jeremy12
jermaine1 jessica! jessica. jessica01 jessica10 jessica11 jessica12 jessica123 jessica13 jessica14 jessica15
jessica16 jessica18 jessica21 jessica22 jessica23 jessica4 jessica5 jessica69 jessica9 jessie12 jessie123
jesucristo jesus101 jesus1234 jesuscristo jesuslives jesusloves jesuslovesme jethrotull jetsmets jfgvcqbuzug
ji394su3 jiang8kevin jibopogie jiefang007 jimmie48 jingjing jjcg16dj5k jkiuztdftl57 jnkwear1 jobshop2002
jocelyn1 joejonas joejonas1 john!20130605at1753 john2567 johnathan1 johncena1 johncena12 johncena54
johndeere1 johnjohn1 johnlock johnny123 johnny1959 johnnydepp jojojojo jolinek33 jomacapa jonas123
jonasbroth jonathan12 jonathan2 jonathon1 jordan06 jordan07 jordan08 jordan09 jordan13 jordan14 jordan15
jordan21 jordan2345 jordan24 jose1234 jose1995 josemanuel joseph01 joseph123 josephine1 josette1 joshua13
joshua21 jp72l05w juanita1 juanito1 juanpablo juggalo420 juju1987 jujuvivi juliadronina1996 julian1705
juliana123 julie2811 julio123 jundian2011xr junior10 junior11 junior88 justdoit1 justice4 justin07 justin08
justin13 justin14 justin15 justin16 justin17 justin18 justin21 justin22 justin23 justin69 justinbieb
juventini juventus1 k.pepper1 k25061405u ka_djkhjsy6 kaifer124 kaitlin1 kakakaka kakashi1 kakashi21 kameron1
kamil555 kangaroo1 kapej111 kara2711 karakartal karaoke1 karappinha kartoffelpuffer karukera kassandra1
katelyn1 katherine1 kathleen1 kawasaki1 kayleigh1 keepout1 keepout8 kenshi21 kentucky1 kevinbg01 kevnwo128
keyboard1 keystone1 kickflip1 kidrock1 kifj9n7bfu kikeunyw killa123 killbill1 killer10 killer1234 killerin66
killers1 kimberly12 kingkong1 kingpin1 kingston1 kinomoto89 kirik26trimyasov kirill1990 kisskiss1 kissme123
kissmyass1 kissmyass2 kitten12 kitten123 kittens1 kitty101 kittykat1 kittylove klaudia01 klinger1
knackwurst8853 kokokoko kolkol90 komputer1 komputer12 koolaid1 koupelna kowalski kretsaha53 kristine1
krystal1 krystyna56 ks120473 ktvt6tn9 kuana230345 kujawka98 kurdistan kxdw0980 l123456789 l1nk3d1n l1nked1n
l1verpool l58jkdjp!m l6ho3tg7wb lacoste1 ladiesman1 ladybug2 lahoumti lakers123 lalalala lalaland1 lancia037
lanlan1234 lara1308 larissa1 lasvegas1 laurel12creek lauren01 lauren11 lauren123 lavender1 lawrence1
layouts1 lebronjame legend22 leliane50934 lemonade1 lenalena leolong1985 leralera leticia1 letmein! lexor123
lh6209lh li123456 lifesucks1 lightbulb1 lightning1 lightning2 lightpower12345 liliana1 lilli2006 lilly123
lilmama1 lilmama12 lilmama2 lilpimp1 lilsexy1 lilwayne1 lilwayne12 lilwayne2 limegreen limegreen1 lindinha
lingling linked123 linkedin linkedin01 linkedin1 linkedin11 linkedin123 linkedin2011 linkedin4me linkedln
lionheart1 lionking1 lipgloss lipgloss1 lipy110593 lisamarie lissabon littlebit1 littleman1 live4him
livelife1 liverpool0 liverpool123 liverpool2 liverpool5 liverpool7 liverpool8 liverpool9 lkjhgfds lkjhgfdsa
lkjhgfdsa1 lmapacey login123 lokoloko lolalola lolek123 lolipop1 lolipop123 lollollol lollypop1 lolololo
lonewolf1 longbeach1 longhorn1 longhorns1 looby123 lordjesus loretta1 lorraine1 loser101 loserface1
louise123 louloute love123456 love1314 love2006 love2007 love2008 love2009 love2love love4eva love4ever1
love4life loveable1 lovebug1 lovebug2 lovegod1 lovehate1 lovehim1 lovehurts1 lovehurts2 lovejesus loveless1
lovelife1 lovelove1 lovelovelove lovely12 lovely123 lovely69 lovelygirl loveme11 loveme123 loveme13 loveme22
loveme23 loveme69 lovemom1 lovemykids lover101 loverboy1 lovergirl1 lovers12 lovers123 lovers69 lovesucks
lovesucks1 loveu4ever loveyou! loveyou12 loveyou123 loveyou3 lovingyou lowrider1 ltybcrj1992 luckydog1
ludacris1 ludi1234 ludivine lukasz12 lunaluna luv4ever lydcc20091314 lynette1 m01759766727 m12345678
m1am1b3ach m1chelle m8a8vhr6 macdaddy1 maciek06 mackenzie1 madden07 madden08 madden09 maddie123 maddison1
madeline1 madison01 madison12 madison123 madison5 madison7 madonna12 maella1311 maganda1 magandaako
magdalena1 maggie13 magma9824660 magno456 magnolia1 mahalkita1 mahalkoh maik1996 maika2006 majordomo
makaveli1 makemoney1 malachi1 malaysia1 mallory1 mamamama mamamia1 mamapapa1 mamika10 mamikawada mandarina
manson666 manuel12 manuel123 manuela1 manunited1 maplestory maradona10 maranatha marek14michal margarida
margarita1 marguerite maria666 mariajose maribel1 marijuana1 marilyn59 marinara mario140773 mariposa1
marisol1 mark_963 marketing1 marmotte marquis1 marseille1 marseille13 martin123 martine1 martinez1
martinique marvel5454 maryjane1 maryjane42 maryland1 maryrose mase4ever massage1 mateusz1 matt1988 matthew01
matthew11 matthew12 matthew123 mattingly matyas2001 maurice4 maximiliano maxix565656 mayquinn2 mbahurip
mcdonalds1 mcgrady1 mckenna1 mckenzie1 md1998pb meandyou1 meatball1 meatball99 meenakshi megadeth1 megaparol
megaparol12345 megasecret melissa12 melissa123 memememe memorex1 memphis10 mendoza1 meowmeow1 merda123
meredith1 messenger1 metallica2 metallica6 mexican13 mexicano1 mexico01 mexico10 mexico11 mexico12 mexico123
mexico13 mgreen39 michael! michael. michael01 michael08 michael10 michael11 michael14 michael15 michael18
michael21 michael22 michael23 michael69 michaela1 michaeljac micheal1 michelle! michelle01 michelle11
michelle12 michelle13 michelle2 michelle3 michelle7 michoacan1 mickey123 mickey13 mickeymous microsoft1
midnight12 midnight2 migrationschool miguel12 miguel123 miguelito mikael412 mikayla1 mikejones1 mikemike1
mikimiki milanista mildred1 miley123 mileycyrus milkshake1 million2 mima1234 mingming minicalibra minnesota1
mintal24 mishijos mississipp mitchell1 mkal2707 mm123456 mm170667 mmo110110 mnbmnbmnb mnbvcxz123 mobster1
mobsters1 mod7tygrysow moderncombat mohamed1 mohammed1 mollydog1 momanddad1 mommyof2 mommyof3 monalisa1
moncoeur monday123 money101 money4940 moneyman1 moneyman87 mongoose1 monica123 monkey07 monkey08 monkey09
monkey101 monkey1234 monkey15 monkey16 monkey17 monkey18 monkey33 monkey88 monkeyboy1 monkeyman1 monkeys2
monopoly1 monster12 monster13 monster3 monster5 monstercha montana3 monterrey montgom2409 montreal1
moonlight1 moonmoon moonshine1 morecats morelle45 morenita morgan11 morgan123 morning21 morrison1 mosima11
mother123 motherof2 motherof3 motocross1 motorola1 moumoune mountain1 mrf11277215 ms0083jxj mu080295
mudvayne1 muffin123 muffins1 muhammad1 munchkin1 mushroom1 music4life music4me musicman1 musift10 mustafa1
mustang01 mustang123 mustang50 mustang65 mustangs1 mustapha mv46vkmz10 my-space my.space my1space my204856
myangel1 mybabies myfamily1 mygirls2 mygirls3 mylinkedin mylove12 mylove123 mymusic1 mynameis1 myspace!
myspace. myspace.co myspace0 myspace00 myspace01 myspace06 myspace07 myspace08 myspace09 myspace10
myspace101 myspace11 myspace12 myspace123 myspace13 myspace14 myspace15 myspace16 myspace17 myspace200
myspace201 myspace21 myspace22 myspace23 myspace24 myspace3 myspace4 myspace4me myspace5 myspace6 myspace69
myspace7 myspace77 myspace8 myspace88 myspace9 myspace99 myspacepas n123456789 namaste78 nanou4552 napoleon1
naruto10 naruto101 naruto11 naruto13 naruto924 nashi1996 nathan11 nathan123 nathaniel1 natiichen999
national1 nebraska1 neopets1 neopets12 nessa1234 networking nevermind1 newaccount newcastle1 newcourt
newjersey1 neworleans12345 newpasswor newport100 newstart1 newthree51 newyork12 newyork123 nglw9840
nha7ebf6kp nibbles1 nicholas12 nicholas2 nichole1 nickiminaj nickjonas nickjonas1 nicky123 nicole07 nicole08
nicole09 nicole10 nicole13 nicole14 nicole15 nicole16 nicole17 nicole21 nicole22 nicole27 nicoleta nicoletta
nideknil nigeria1 nigga123 nigger12 nigger69 niggers1 nikolas1 nj2mp73t nks230kjs82 nmt89109328673 no1knows
noiembrie nokia3100 nokia6600 nolimit1 nomeacuerdo nonmember northside1 notebook1 nothings123 notredame1
november10 november11 november12 november13 november14 november15 november16 november17 november18
november19 november2 november20 november21 november22 november23 november24 november25 november26 november27
november3 november30 november5 november7 november8 noviembre nowehaslo nssadmin number11 number12 number13
number23 numberone nummero1 nursing1 nyq28giz1z oblivion1 ocpoook325 october10 october11 october12 october13
october14 october15 october16 october17 october18 october19 october20 october21 october22 october23
october24 october25 october26 october27 october28 october29 october30 october4 october5 october9 ogplanet
ohcaptain ohiostate1 oklahoma1 olalekan olamilekan olanrewaju olatunji olayinka oldschool1 olitec00 oliver11
olivia12 olivia123 olufiz14 olusegun oluwaseun omarion1 omshanti one2three onedirection online123 oojs4ykl
opelcorsa opernhaus1 orange123 orange13 ordenador ordinateur original1 ossi2000 ottootto overdrive ovr220278
owt243ygbh owt243ygbj p123456789 p1466186 p3rat54797 p5415420 p@$$w0rd p@ssword pa$$word pakistan12
pakistan123 paluso00 panasonic1 pancakes1 pandabear1 papapapa papatoma1 papichulo1 paradise1 paramore1
parola123 party123 pass9876 pass_2011 passer2009 passer2010 passer2011 passport1 password. password06
password07 password08 password09 password1! password12345 password123456 password14 password15 password16
password17 password18 password19 password20 password24 password25 password27 password32 password33
password34 password42 password44 password45 password55 password66 password77 password89 password? patience1
patrice1 patrick12 patrick123 patriots12 patterson patterson1 pavilion1 payback1 pazzword123 peaceout1
peanut01 peanut123 pearljam1 pedarsag peekaboo1 peleleco pendejo1 penelope1 penguins1 pennstate1 people12
people123 perfect10 personal1 peterpan1 peugeot206 pg260365 philippine phillies1 philly215 phoenix888
pictures1 pimp1234 pimp4life pimpdaddy1 pimpin101 pimpin12 pimping1 pimpjuice1 pingpong1 pink1234 pinkfloyd1
pinkpink pioupiou pissoff1 pitapooe1 pitiponc pizzahut1 pk3x7w9w placebo1 playboy12 playboy123 playboy69
player12 player123 player13 playgirl1 pleasure1 ploppy10 pocahontas poepen19 poiuytre poiuytrewq poiuytreza
pok29q6666 pokemon10 pokemon11 pokemon3 pokemon5 pokemon7 pokemon9 polarbear1 polenka1 police123 polska123
pomalo123 pommes123 poohbear12 poohbear2 pookie12 pookie123 poop1234 poophead1 poopmaster pooppoop1 poopy123
pop168168 popcorn12 popcorn123 popopopo popstar1 poptropica porcodio porkchop1 pornstar1 portland1 portugal1
positive1 pothead1 pothead420 poupette poupoune povlmly727 povray14 power999 powerpuff pqntmt1247 prasanna
precious2 pregmar2 presario1 president1 presley1 pretty12 pretty123 prettyboy1 prettyme prince123 princes1
princesa1 princesita princess! princess. princess01 princess06 princess07 princess08 princess09 princess10
princess11 princess12 princess123 princess13 princess14 princess15 princess16 princess17 princess18
princess19 princess20 princess21 princess22 princess23 princess24 princess3 princess4 princess5 princess6
princess69 princess7 princess8 princess9 principessa priscilla1 projectsadminx promise1 proverbs31
przyjaciolki psalms23 psicologia psychology pt120439 punisher1 punkrock1 puppies1 puppies2 puppydog1
puppylove puppylove1 purple10 purple123 purple14 purple15 purple16 purple21 purple22 purple23 pussycat1
q0tsrbv488 q1q1q1q1 q2345678 qamilek1 qarglr123 qazqazqaz qdujvyg5sxa qh6xl1p9xj qiciqdp162 qq18ww899
qqww1122 qti7zxh18u quality123 queen123 queenbee1 queenie1 quentin1 qugrqfo825 qvo78evm qw10081973 qw123321
qw12qw12 qwe1122334 qwe12345 qwegta13091990 qweqweqwe qwerpoiu qwerqwer qwerqwer2 qwerrewq qwertqwert
qwerty55 qwerty67 qwertyqwerty qwertyuio1 qwertyuiop[] qwertz123 qwertzui qwertzuiop qwqwqwqw r041stcu
r123456789 r9lw4j8khx rabat1945 rachel12 rachel123 rachelle1 radiohead1 raffaella raiders12 raiders13
raiderz1 rainbow12 rainbow123 rainbow3 rainbows1 ramirez1 ramones1 randall1 randyorton rastafarian rastaman1
raumschiff ravens52 rbotmvz954 rdukv46x realestate reality1 realnigga1 rebekah1 rebelde1 rebound1 recovery1
redab1993 redbone1 redline1 redrose1 redskins21 redsox34 redwin3d remember1 rememberme remington1 rencontre
renee123 renegade1 resing1965 respect1 revenge1 rfrfrfrf rhiannon1 rhinos111 rhodan01 richard123 richmond1
ricky123 rihanna1 riley123 riverside1 rksk3210 roanne42300 robert13 robert69 robinson1 rochelle1 rocknroll1
rockstar12 rockstar2 rockyou1 rodrigo1 rodrigues rodriguez1 rolandia42 rollin60 romans828 ronaldo07
ronaldo10 ronaldo17 root1234 rootbeer1 roro1024 rosalinda rosario1 roscoe131 rose1234 rose24731 rosemary1
rossia19 royals22 rtw150809 ruler1991 runescape2 ryan1234 ryan962052 s8ylpe9jdpvym sabine12 sabine21
sabrina123 sacha1234 sagitario sagitarius saints25 salamanca salvador1 salvation1 samantha12 samantha2
sampdoria sample123 samsun55 samsung12 samuel01 samuel123 sandberg5 sandiego1 sandra12 sandra123 sanjose1
santiago1 sapphire1 saraswati sardegna sasasasa sasin414 sassi123 savanna1 saxophone1 scarface2 scarlett1
schilf02 schokolade school123 scooby123 scoobydoo1 scoobydoo2 scooter123 scorpion1 scorpione scotland1
scraty98 scvmofas79 sdf7asdf6asdg8df seahawks1 seahorse1 seanpaul sebastian106 secret666 seigneur selenagome
seminoles1 senior06 senior07 senior08 senior09 seniseviyorum sentnece sephiroth1 september1 september2
september3 september7 september8 september9 septiembre serafina14 serenity1 settembre sevgilim sexsexsex
sextrime1 sexy4life sexyass1 sexybabe1 sexybaby1 sexyback1 sexybeast1 sexybitch1 sexybitch2 sexyblack1
sexyboy1 sexychick1 sexygirl1 sexygirl12 sexygirl2 sexygurl1 sexylady1 sexylove1 sexymama1 sexymama12
sexyman1 sha22una shadow0262 shadow21 shakira1 shamrock1 shanice1 shawn123 shayne123 shayshay shayshay1
shelby12 shelby123 shiningeagle shitface1 shortie1 shorty01 shorty11 shorty12 shorty123 shorty13 shorty14
shorty15 shorty69 shotokan1 showtime1 sidekick1 sidekick3 sig53num silkroad silver123 silverado1 silverkey3
simple123 simpsons1 sinaloa1 sincere1 singing1 single123 sipfhair sisters1 sisters2 sixteen16 sk8erboi
sk8erboy ska02ska skate4life skateordie skater11 skater12 skater123 skater13 skaterboy1 skaterdude skating1
skelitor66 skittles1 skittles12 skyliner34 skywalker1 slideshow slimshady1 slipknot12 slipknot2 slipknot6
slipknot66 slipknot9 slovensko slunicko smackdown1 smb0512bz smile0_0 smokeweed1 smokey11 smokey123 smokey13
smokey420 smoking1 snickers2 snoopdog1 snoopdogg1 snoopy01 snoopy123 snorre98 snowboard1 snowflake1 soccer05
soccer06 soccer07 soccer08 soccer101 soccer1234 soccer24 soccer25 soccer88 sodapop1 softball! softball10
softball11 softball12 softball13 softball14 softball15 softball2 softball21 softball22 softball23 softball3
softball4 softball5 softball7 softball8 softball9 soleil13 soleluna solitario solo7590 somanypickles27
someone1 sophie123 soukayna souljaboy1 soulmate1 southern1 southpark1 southpole1 southside1 southside2
southside3 southwest1 space123 spanish1 sparkles1 sparky123 spartans1 speranza spez3012 spider-man spider123
spiderman2 spiderman4 spiderman7 spionin8688 spitfire1 spitsy16 spoiled1 spongebob0 spongebob1 spongebob2
spongebob3 spongebob5 spongebob7 spongebob9 squirrel1 ss563563ss ssyu1314 starbucks1 starburst starburst1
starcraft1 stardust1 staredobre starfish1 stargate1 starlight1 stars123 startfinding starwar5 starwars03ja
starwars111 starwars12 starwars2 starwarsfan10 stayout1 steelers43 steelers7 stefangreil1983 steflio3123
stella123 stephanie2 sterling1 sternchen steven12 steven123 stewart20 stinky01 stonecold1 stoner420
stormdogs strobe93 student2 stunt101 stupid123 su123456 successful suckdick1 sugar123 sugarbear1 suicide1
summer123 summer2008 summer2010 summer21 sundance1 sunshine! sunshine01 sunshine10 sunshine11 sunshine12
sunshine13 sunshine2 sunshine21 sunshine22 sunshine23 sunshine3 sunshine4 sunshine5 sunshine7 sunshine8
sunshine9 supa1906 superfly1 supergirl1 superman! superman01 superman10 superman11 superman13 superman21
superman22 superman23 superman3 superman4 superman5 superman69 superman7 superman8 supernova1 superstar1
superstar2 superwoman supreme1 surena13 surenos13 surethang surside13 swampfire sweetangel sweetie2
sweetlove sweetness1 sweetpea1 sweety12 swimming1 swordfish1 sylvester1 sz9kqcctwy szczurek t123456789
t36473647 tabitha1 tacobell1 taekwondo1 tagesgruppe2010 taishan2011 tamahome tanginamo tanja1993 target123
tarheels1 tartaruga tarzan00 tata1964 taylor123 taylor13 taylor14 taylor21 taylor22 tayuya44 teamo123
teamomucho techno13 teddybear1 teddybear2 teenaa111 telechargement telephone1 tennessee1 tennis123
teonamaria1 tequiero1 terrance1 terrence1 terserah teste123 tester01 testtest1 teufel99 texas100 thailand1
thankyou1 theband1 thebears12 thebest1 theboss1 thegreat123 thejudge thelorax theodore1 theonly1 theshit1
theused1 thissucks1 thomas22 thompson1 threekids thuglife1 tichuots tielandros01 tiffany123 tigerlily
tigger123 tigger21 tigger23 timfranzke tingting tinker12 tinkerbel1 tinkerbell1 titties1 tjoshua11 tkfkdgo1
tkfkdgo7 tkgsoo083bsr tl281188t tmnet123 tmvlzj12 tnk0mk16vx together1 tolulope tombrady12 tony1234
topbutton total12scherz toulouse31 trabalho trackstar1 transforme trapdoor39 trapdoor60 treasure1 treguier
trenton1 trikers21 trinidad1 tripleh1 triskelion tristan01 trivium1 trombone1 tropical1 truelove1
tuputamadre turtle12 turtles1 tweety12 tweety123 tweety13 tweetybird twilight1 twilight12 twinkie1 twinkle1
twinkle15 twister1 twiztid1 tyrael04 tzir25l5kn u83xu3u83 uhfaabnb uhfybn8888 ultimate1 umbrella1 umit1406
underoath1 univers2l universal1 universo uphill45 uqa9ebw445 urdg5psk5 usa12345 user1234 uvgx8f8232 uzumaki2
vacation1 vaemai31 vagina69 vaishali valencia1 valentin1 valentina1 valentine1 valentino1 valkenhayn
vanessa06 vanessa12 vanessa123 vanessa141175 vanessa2 vanhalen1 vanille1 vascorossi vergessen veri1234
veronica1 vesproongh12 vfvfvfvf vicky123 victor12 victor123 victoria12 victoria2 vietnam1 viewsonic1
vikavika villanueva viphv5j736 virgilio12 virginia1 virtue1234 vitolino10 vitor1268123 vladcherktecktonik
voldemort vrbgqns997 vuc7neyu0 w12101957 w123456789 w1aubvoq w3wjnhek w5tn36alfw w5txn36alfw w66yrybgra
waffles1 walalang waldiw82 walmart1 wang1234 wangyut2 warhammer1 warning1 warriors1 waterfall1 wayne123
wednesday1 weedman1 welcome6 werewolf1 werilopert weronika1992 westcoast1 westlife1 westside13 westwood1
weyersheim whatever! whatever12 whatever2 whatever4 whatever7 whatsup1 whiskers1 whiteboy1 whitesox1
whitetiger whocares1 whoville wiggles1 wildcats1 wildchild wilfried william12 william123 william2631
william5 windows7 windows98 windowsxp winniethepooh winter08 winter123 wishbone1 woaini123 woaini1314
woaini520 woaini521 woaiwojia wodemima wolfgang1 wolfpack1 wolverine1 wonderful1 woodstock1 worship1
woshishei319 woshishui woshiyazi wpcakir264 wrangler1 wrasloco11 wrestler1 wsbe279qsg wubin007 ww111111
ww651118 wz362308 x12345678 x3luym2mmj x4ivyga51f x8coqx1f1zh x99qomx561 xantria10315 xblhintb9w xdqwerty
xenosaga1234 xiang123456 xiaoxiao xige5516726 xlsl9963 xred4654 xt97794xt xtseo2011tdx xup6xup6 y6p67ftrqj
ya623349 yagjecc826 yahoo.com yahoo100 yahoo123 yahoomail yamaha125 yandi20080527 yangyang yankees13
yaoiisgrand yasmine1 yellow11 yellow123 yellow13 yemi19900911 yesenia1 yfdbufnjh10305070 yfdbufnjh63
yggdrasil4 yomamma1 yomomma1 youandme1 youbye123 youknow1 youngmoney yourgay1 yourmom! yourmom123 yourmom2
yousuck2 youtube1 yu5l97wk8q yuantuo2012 yvonne90 z0102030405 zacatecas1 zacefron zacefron1 zag12wsx
zaq1zaq1 zaqxsw12 zbychlas zeppelin1 zesh1412 zhang123 zhd741220 zhou1980 zimmer483 zimmermann33 zk.kkkkkkkk
zntiverson03 zooyork1 zxc841219 zxcvbnm, zxcvbnm,./ zxcvbnm0 zxcvbnmteamo1 zxcvzxcv zxczxczxc zy19791201
zzs000000
`;
