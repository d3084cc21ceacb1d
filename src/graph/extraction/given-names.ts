/**
 * Given names that compromise's word list lacks: Nordic, Slavic, Romance, Turkish, Arabic, African, Indian
 * and East Asian ones, in lower case and without accents. Names that are English words, or better known as
 * places or brands, are left out.
 */
export const givenNames: ReadonlySet<string> = new Set(
  `abebe abena abimbola achieng adaeze adebayo adebola aditya adunni adwoa agnieszka aiko ailsa aishwarya aivar akash akemi akinyi akosua
   alejo aleksi amadou amal amara amelie amrita ananya anastasiya andrus angharad anh aniket anil anjali anke ankit anneliese antti anu
   anupam aoibhinn aoife apinya aram arash arkady arlo arseny artyom arvid arvind asbjorn asif aslaug asuka atieno axel ayaka ayako ayelet
   ayumi babajide bao bartosz beatrix behnam bence benoit bente bhavna birgit bjarne bjork bodil bogna bogumila bohdan borja bozena bram
   bronislav burcu caio cansu ceren chiamaka chiara chidi chidinma chika chinedu chinonso chinonye chinua chioma chukwuemeka cigdem claudiu
   cormac czeslaw daiki daisuke dalia damla danijel danuta dariusz davide declan deepa deepika demyan denitsa detlef didier dimitar
   dimitrios divya djamila dorota dovile eamonn ebru efua eilif einar eino eirik elodie elsbeth emeka emre eoghan erdem eskil esra eun-ji
   evgeni evgenia ewan ezgi faisal farhan farid farrukh fatih fatimah fatou federica fedor femi femke ferhat filipa fiorella folake
   folasade fumiko funmilayo fusun galina gaurav geir gennady giorgos girish giulia giulio gleb goncalo gopal gorkem govind grigory
   grzegorz gudmundur gudrun gulsen gunnhild haakon hakan halima halvard halvor halyna hamish hanan harish haruka havard hedda heidrun
   heike heikki henk herve hideo hiroki hiroko hiroshi hitomi huong hye-jin iara ichiro ifeoma ikenna ikram ilaria ilkka imani imran
   ingeborg ingvild inigo ioana ioannis iryna isha itziar jadwiga jagdish jamila janne jayant jeroen jerzy ji-hoon jiaying jin-woo jiro
   joaquim joost jorg jorgen jorid joris jorunn juhan juhani juho jukka jun-ho jurgen juris jussara jussi kaan kadir kadri kaisa kalpana
   kamau kaoru kareem karthik kasia katarzyna kateryna katrin katsumi katya kaveh kavya kazimierz kazuki kazuko kazuo kees keiko kemal
   kenichi kenji kenta kjell kjersti kjetil klara koen kofi kohei koji konstantin kotaro krishnan kristjan kristoffer ksenia kunal kunle
   kwabena kwame kwesi kyung-ho lakshmi lasse latha lautaro leela lenka leonor lerato liesbeth liis linnea ljubica lubomir lukasz lurdes
   lyudmila maarja maarten madhuri maelle maeve mafalda magnar magnhild mairi makoto malgorzata manju manoj mansur marek marit marjolein
   markku masako masashi masato mateusz maxim maya mayumi meera mehwish mei-ling merja mette mihaela mikkel mindaugas minna miroslav
   mitsuko miyuki mrinal murat mykola nabil nadeem nadezhda nadiya naledi nanami nandini naoki naoko nasrin natsuki navya nazli neha nenad
   ngozi nikhita nikolaos nilufer nishant njoroge nkechi nnamdi nneka nobuko noemie nomvula nuno nuria obinna obioma oddvar olamide
   oleksandra oleksiy olena olli oluwaseun onur orhan ostap otieno ottilie outi oyvind ozan ozge padma paivi pallavi panagiotis parisa
   patryk pawel peder pekka pelin petter piotrek pooja prabha prachi pradeep pranav prashant pratik preethi prisca priya priyanka
   przemyslaw puneet quoc rachana radha radka radomir radoslaw raghav ragnhild ragnvald rajiv rakesh ramesh ramya ravi reidar reiko remi
   remy renske revathi rhys riikka rikke rishi ritika rohit roisin rui rukhsana rukmini ruslan rustam ruta ruxandra ryoko ryosuke ryota
   saad saburo sachiko sadia safiya sander sanjeev sanne santosh saoirse sarita satu savitri sayuri segun selin semyon senay seo-yeon
   serkan shantanu shanti sharmila shigeru shinji shiori shirin shiro shivani shobha shota shreya shruti shweta siavash sibel siddharth
   sigrid sigridur sigurd sihem simran sipho sirpa sneha solene solveig sondre soo-jin sota srdjan sreeja sridhar srinivas stavros stefania
   stepan subhash sudha sujata sundar sunil sushma svein svetlana swati sylwia tadashi taiwo takeshi takumi tanvi taras tariq tarun tatsuya
   tebogo tendai teodor terje thabo thandi themba thi thibault thierry thijs thorbjorn thuy tiago tiina timofey tomoko toomas torbjorn
   torvald trygve tsvetelina tuncay tunde tuomas turid tushar uchenna ulla ulrike umut vaclav vaibhav valeriy varun vasanth vasile vasilis
   venkat veronika vidya vigdis vijay vikas vikram viktoriya vinod vishal vitaliy vitaly wangari wanjiku wanjiru willem wioletta xiaoli
   xiaoming xin yamini yara yash yasuko yegor yetunde yevgenia yiannis yichen yoko yoshiko yosuke yousef yuan yuki yukiko yuko yuliya yumi
   yuriko yuto zaid zakhar zanele zbigniew zdenek zhenya zinaida zoltan zoya zuzana`.split(/\s+/),
);
