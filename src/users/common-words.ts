// What passwords in breaches are made of, of people in Brazil and elsewhere: small letters, no accents.
// Words of three letters and more; what a walk over the keyboard, a year or a repeat is stands in
// guessable.ts.

const WORDS = `
acesso admin administrador administrator adm root user usuario guest convidado login logon senha senhas
senhaforte novasenha minhasenha suasenha password passwort passwd pass passw0rd secret segredo secreto mudar
trocar muda troca teste testes testando test testing tester default padrao system sistema server servidor
master mestre super superman supervisor gerente diretor presidente chefe boss welcome bemvindo benvindo
changeme letmein entrar abrir open opensesame abracadabra whatever nothing qwerty qwert azerty asdfg zxcvb
iloveyou ilove loveyou lovely love amor amores amorzinho teamo euteamo amo amovoce minhavida vida meuamor
amoreterno eterno paixao coracao heart baby babygirl babyboy bebe nenem princesa princess principe prince
rainha queen king reizinho rei anjo angel angels angelito anjinho sweet sweety sweetheart honey docinho
gatinha gatinho gata gato linda lindo linduxa fofa fofo fofinha gostosa gostoso delicia beautiful pretty
familia family mae mamae mother mommy pai papai father daddy filho filha filhos irmao irma brother sister
vovo avo tio tia casa home lar amigo amiga amigos amizade friend friends friendship bestfriend namorado
namorada marido esposa casado solteiro jesus jesuscristo cristo christ deus deusefiel fiel deuseamor deusemais
senhor salvador god godisgood blessed bless bencao fe esperanca hope faith grace gloria aleluia amem maria
nossasenhora aparecida santo santa saojorge jorge saojudas biblia bible igreja church pastor padre espirito
brasil brazil brasileiro brasileira saopaulo sampa paulista riodejaneiro carioca rio minas gerais mineiro
bahia salvador recife fortaleza ceara curitiba parana gaucho portoalegre belem manaus amazonas goias goiania
brasilia natal maceio aracaju vitoria florianopolis floripa campinas santos sorocaba osasco guarulhos
portugal lisboa america american usa canada london paris india mexico england italia japan
flamengo mengao mengo corinthians timao palmeiras verdao porco vasco vascao vascodagama botafogo fluminense
fluzao tricolor gremio internacional colorado cruzeiro atletico galo mineirao santosfc peixe bahiaec sport
vitoriaec futebol football soccer basketball volleyball baseball softball hockey tennis bola gol golaco
campeao champion champions barcelona realmadrid madrid chelsea liverpool arsenal manchester united juventus
milan neymar ronaldo ronaldinho messi pele zico romario kaka cristiano senna ayrton ferrari mercedes porsche
lamborghini corvette mustang camaro harley davidson yamaha honda suzuki kawasaki toyota corolla civic fusca
volkswagen chevrolet chevy ford fiat uno gol palio opala carro moto motoqueiro caminhao trator
computador computer notebook internet google gmail hotmail yahoo facebook instagram whatsapp twitter orkut
youtube microsoft windows linux apple iphone samsung nokia motorola xiaomi android adobe photoshop linkedin
playstation xbox nintendo pokemon pikachu charizard minecraft roblox fortnite freefire counterstrike
warcraft starcraft diablo zelda mario luigi sonic naruto sasuke goku vegeta dragonball dragon dragons pirata
starwars skywalker vader jedi yoda matrix trinity neo batman robin spiderman homemaranha ironman hulk thor
wolverine joker coringa avengers marvel gandalf frodo legolas hobbit harry potter hogwarts hermione gryffindor
spongebob bobesponja mickey minnie donald disney tinkerbell barbie hellokitty kitty snoopy garfield scooby
simpsons homer bart pepper mafalda monica cebolinha cascao magali chaves chapolin xuxa sandy
music musica rock rockandroll metal metallica slipknot nirvana greenday blink182 linkinpark linkin park
ironmaiden acdc guitar guitarra violao piano bateria drummer samba pagode sertanejo funk forro axe rebelde
restart bts justin bieber justinbieber onedirection eminem tupac beyonce rihanna shakira madonna michael
jackson elvis beatles lennon anitta marilia mendonca luan santana
sun sunshine sunflower moon moonlight star stars starlight estrela estrelinha sol lua luz light sky ceu mar
ocean oceano praia beach summer verao winter inverno spring primavera autumn outono flower flowers flor
florzinha flores rosa rosas rose margarida girassol orquidea butterfly borboleta rainbow arcoiris nature
natureza forest floresta river montanha fire fogo water agua earth terra wind vento thunder trovao storm
tempestade lightning shadow sombra dark darkness black white blue azul red vermelho green verde yellow
amarelo pink purple roxo orange laranja silver prata gold golden ouro dourado diamond diamante crystal
cristal preto branco
dog dogs doggy puppy cachorro cachorrinho cat cats kitten tiger tigre tigrao lion leao wolf lobo bear urso
ursinho monkey macaco horse cavalo cavalinho eagle aguia falcon falcao hawk snake cobra shark tubarao dolphin
golfinho panther pantera jaguar onca rabbit coelho coelhinho turtle tartaruga fish peixinho bird passaro
passarinho arara papagaio galinha pintinho vaca boi touro bull porquinho buster bailey max rex thor mel nina
belinha lulu bob billy toto pingo princesinha pretinha pretinho branquinha luna bella duke rocky lucky sorte
chocolate cookie cookies cupcake banana abacaxi morango strawberry cherry cereja apple maca mamao manga uva
limao peach melancia coconut coco pizza burger cheese cafe coffee cerveja beer vodka whisky cachaca caipirinha
coca cocacola pepsi guarana brigadeiro bolo pao feijao arroz churrasco bacon pimenta sugar acucar candy
anna ana anaclara anapaula anajulia aninha amanda andre andrea andreia andressa antonio antonia aline
alice alex alexandre alexandra alexander alessandra adriana adriano alberto ashley andrew anthony arthur
augusto barbara beatriz bia bianca benjamin bernardo brandon brenda brian bruna bruno caio camila camille
carla carlos carol carolina caroline catarina cecilia charles charlie christian christopher cintia clara
claudia claudio cristian cristiane cristina daniel daniela daniele danielle danilo david debora denise diana
diego douglas edson eduarda eduardo elaine elisa elizabeth emanuel emily enzo erica erick fabiana fabio
fabricio felipe fernanda fernando flavia flavio francisco francisca franklin gabriel gabriela gabrielle george
geovana giovana giovanna guilherme gustavo heitor helena henrique hugo igor isabel isabela isabella isabelle
isadora ivan jack jacob james jaqueline jasmine jason jefferson jennifer jeniffer jessica joana joao joaopedro
joaovitor joaquim john johnny jonas jonathan jordan jose joseph joshua josue juan julia juliana juliano julio
junior karina karla kauan kelly kevin larissa laura leandro leonardo leticia lorena lorenzo lucas lucia
luciana luciano lucy luis luisa luiz luiza manuel manuela marcela marcelo marcia marcio marco marcos mariana
mariaclara mariaeduarda marina mario marlon martin mateus matheus matthew mauricio mayara melissa michele
michelle miguel milena miriam monica murilo natalia nathalia nathan nicholas nicolas nicole olivia otavio
pablo paloma pamela patricia paula paulo pedro pietro priscila rafael rafaela raissa raquel rebeca rebecca
regina renan renata renato ricardo richard robert roberta roberto rodrigo rogerio rosana ruan ryan samantha
samuel sandra sara sarah sebastian sergio silvia simone sofia sophia sophie stephanie steven tainara tatiana
thais thiago thomas tiago valentina vanessa vera veronica victor victoria vinicius vitor vivian viviane
wagner wallace wellington wesley william willian yasmin yuri
silva santos oliveira souza sousa pereira ferreira alves lima gomes ribeiro carvalho almeida lopes soares
fernandes vieira barbosa rocha dias nascimento andrade moreira nunes marques machado mendes freitas cardoso
ramos goncalves teixeira araujo melo costa martins rodrigues smith johnson
segunda terca quarta quinta sexta sabado domingo janeiro fevereiro marco abril maio junho julho agosto
setembro outubro novembro dezembro january february march april june july august september october november
december monday tuesday wednesday thursday friday saturday sunday feliz happy felicidade alegria smile sorriso
sempre forever never nunca hoje today amanha tomorrow saudade saudades liberdade freedom paz peace guerra
forca power poder sucesso success vencedor winner vitorioso guerreiro warrior lutador fighter soldado ninja
samurai hacker killer assassino hunter cacador ranger rider player jogador gamer cowboy peao bandido
dinheiro money grana rico rica milionario millionaire banco bank pix pagar pagamento pagamentos payment
boleto cartao credito cobranca cobrancas vintem link links loja lojinha store shop shopping venda vendas
cliente clientes empresa trabalho escritorio office work comercial financeiro finance contabil contabilidade
contador fiscal compras produto padaria mercado restaurante salao oficina clinica escola colegio faculdade
school college professor professora teacher doutor doutora medico medica advogado advogada engenheiro
enfermeira policia policial bombeiro exercito marinha
simples facil easy nada tudo mesma mesmo qualquer coisa sexy sexo porra merda caralho fuck fucker fuckyou
asshole bitch pussy penis boobs naked lol lmao hello hola oi ola tchau goodbye please thankyou obrigado
obrigada socorro help trustno trustno1 monster mercury phoenix hunter2 cheese computer1 blink eighteen seven
access flower1 dallas texas chicago boston newyork california hawaii vegas yankees cowboys steelers lakers
bulls jordan23 patriots eagles packers raiders giants rangers tigers
`

export const COMMON_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/))
