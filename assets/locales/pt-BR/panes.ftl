# Login, JWT, domínios, trocas, conta, perguntas e avisos.

login-title = Entrar
login-submit = Entrar
login-wait = Entrando
login-this-machine = { $address } (este computador)
login-kept = O token fica
login-memory = Ao entrar, o balcão pergunta se pode guardar só na memória.
look-around = Dá para olhar tudo sem entrar ({ $key }).
login-demo = Na demonstração, entrar também põe no lugar um JWT novo para os links.

keeper-asking = ainda não se sabe: o chaveiro está sendo consultado
keeper-keyring = no chaveiro deste sistema
keeper-memory = só na memória, até você sair do programa
keeper-absent = sem lugar: este computador não tem chaveiro
keeper-locked = sem lugar: o chaveiro está trancado
keeper-hangs = sem lugar: o chaveiro não respondeu
keeper-other = sem lugar: o chaveiro deu um erro

jwt-title = JWT dos links
jwt-why = Para criar links, o serviço pede um JWT (Authorization: Bearer <JWT>). A documentação não diz como se obtém esse JWT: pergunte ao serviço. O login daqui traz só o token da API, que é dos saques.
jwt-field = JWT
jwt-submit = Guardar
jwt-wait = Guardando
jwt-kept = Fica { $where }.

account-profile = Perfil
account-service = Serviço
account-kind = Tipo
account-sandbox = sandbox: nenhum dinheiro de verdade
account-this-machine = este computador: não comprovou ser o sandbox; o dinheiro pode ser de verdade
account-live = conta real: o dinheiro é de verdade
account-who = Conta
account-nobody = ninguém entrou
account-kept = Credenciais
account-contract = Contrato
account-contract-accepted = { $n ->
    [one] { $n } linha sua mexe com dinheiro, aceita por você
   *[other] { $n } linhas suas mexem com dinheiro, aceitas por você
}
account-contract-pending = { $n ->
    [one] { $n } linha que mexe com dinheiro ainda não foi aceita
   *[other] { $n } linhas que mexem com dinheiro ainda não foram aceitas
}
account-history = Histórico antigo
account-history-means = Estava danificado e ficou guardado ali. As listas de links e de cobranças começam de novo; saques e dinheiro não são afetados.

credential-api-token = Token da API
    .for = para os saques
    .absent = não há: entre na conta
    .refused = o serviço não aceitou: entre na conta de novo
credential-jwt = JWT
    .for = para os links
    .absent = não há: cole o JWT
    .refused = o serviço não aceitou: cole um novo
credential-unknown = ainda não se sabe
credential-held = guardado; o vencimento não é conhecido
credential-until = guardado; vale até { $when }
credential-expired = venceu: { $when }
credential-demo = posto aqui pela demonstração

domains-top = Onde o comprador abre os seus links
domains-wait = Consultando domínios
domain-automatic = automático
    .what = o serviço escolhe um ativo
domain-chosen = novos links
domain-usable = pode ser usado
domain-active = ativo
domain-pending = ainda não ativo
domain-pending-word = ainda não ativo: “{ $word }”
domain-default = padrão
domains-pick = Escolha onde abrem os novos links. Os links já criados não mudam.
domains-not-asked = Os domínios ainda não foram consultados.
domains-paste-jwt = Para criar links e consultar os domínios é preciso o JWT: { $key } cola um.
domains-log-in = Para criar links e consultar os domínios é preciso entrar na conta: tecla { $key }.
domains-none = O serviço não listou nenhum domínio que possa ser usado agora.
domains-active-how = Um domínio fica ativo quando o DNS e o SSL dele ficam prontos. Sem um domínio ativo, o serviço recusa novos links.
domains-way-out = Uma cobrança direta não precisa de domínio (tecla { $key }).

exchanges-none = Nenhuma troca ainda.
exchanges-what = Cada pedido ao serviço e a resposta dele aparecem aqui, inteiros, com os segredos mascarados. A lista dura até você sair.
exchanges-top = { $n ->
    [one] { $n } troca desde o início, segredos mascarados
   *[other] { $n } trocas desde o início, segredos mascarados
}
exchanges-top-kept = { $n ->
    [one] { $n } requisição guardada · mais antigas descartadas: { $dropped }
   *[other] { $n } requisições guardadas · mais antigas descartadas: { $dropped }
}
exchange-reply = Resposta { $status }, em { $took }
exchange-after = Depois de { $took }:
exchange-no-answer = sem resposta
exchange-not-sent = não enviado
exchange-cancelled = cancelado
exchange-failed = falhou
exchange-no-body = (sem corpo)
exchange-body-goes-on = … aqui acaba o que é mostrado; o corpo inteiro tem { $kib } KiB.
operation-login = Login
operation-domains = Domínios
operation-link = Criar link
operation-charge = Cobrança direta
operation-fee = Taxa do saque
operation-withdrawal = Saque

ask-drop-form = O que você digitou aqui será perdido.
    .title = Sair do formulário?
    .back = Continuar
    .do = Sair sem guardar
ask-drop-and-leave = O que você digitou será perdido. Ctrl-C de novo também sai.
    .title = Sair do balcão?
    .back = Continuar editando
    .do = Descartar e sair
ask-leave = Um saque está sendo enviado agora. Se você sair da tela, o programa espera o envio terminar e só então encerra.
    .title = Sair com um saque em andamento?
    .back = Ficar
    .do = Sair da tela
ask-log-out = O token da API e o JWT serão apagados deste computador. O histórico e os saques em aberto ficam.
    .title = Sair da conta?
    .back = Continuar na conta
    .do = Sair da conta
ask-copy-odd = O endereço vai exatamente como está. Copie só se você o reconhece.
    .title = Copiar este endereço?
    .back = Não copiar
    .do = Copiar
ask-browse-odd = O endereço vai para o navegador exatamente como está. Abra só se você o reconhece.
    .title = Abrir este endereço?
    .back = Não abrir
    .do = Abrir
ask-qr-odd = O QR Code leva o endereço exatamente como está. Mostre só se você o reconhece.
    .title = Mostrar o QR Code?
    .back = Não mostrar
    .do = Mostrar
ask-discard = Nenhum dinheiro saiu por ele. A chave de idempotência não será usada de novo. Para sacar depois, faça um saque novo.
    .title = Descartar o saque?
    .back = Manter
    .do = Descartar
ask-found = Confirme só se você o viu na sua conta do serviço ou no banco de quem recebe. Ele não será enviado de novo.
    .title = O saque foi pago?
    .back = Ainda não sei
    .do = Foi pago
ask-found-either = Vale tanto o que você pediu ({ $sent }) quanto o que a resposta diz ({ $got }).
ask-use-memory = Sem chaveiro, as credenciais ficam só na memória deste programa. Quando você sair, elas somem e será preciso entrar de novo.
    .title = Guardar só na memória?
    .back = Não guardar
    .do = Só na memória
ask-pick-journal = Este passa a ser o registro de saques. O de agora fica guardado ao lado, e o que estiver em aberto nele continua à vista. Nenhum dinheiro sai.
    .title = Usar este registro?
    .back = Voltar
    .do = Usar este
ask-withdrawal-of = Saque de { $amount }

odd-not-an-address = não dá para ler como endereço da web
odd-user-info = leva um nome de usuário ou uma senha dentro
odd-ip = aponta para um número, não para um domínio
odd-http = não é cifrado (http)
odd-not-web = não é um endereço da web: só https é esperado
odd-api-host = aponta para o endereço do próprio serviço
odd-shell = tem espaço ou sinais que um terminal interpreta: { $signs }
odd-unknown-host = não é o domínio escolhido nem um dos seus conhecidos

palette-nothing = Nada com esse nome agora.
wish-buyers-view = Visão do comprador: a página do link
wish-story = Roteiro: começar
wish-story-stop = Roteiro: parar
wish-captions-off = Roteiro: esconder as legendas
wish-captions-on = Roteiro: mostrar as legendas
wish-no-faults = Sandbox: retirar as falhas
wish-domains-down = Sandbox: desativar os domínios
wish-domains-up = Sandbox: reativar os domínios
wish-forward = Sandbox: adiantar o relógio 10 min
wish-start-over = Sandbox: recomeçar do zero

said-copied-desktop = Copiado: { $what }.
said-copied-tmux = Copiado ao tmux e repassado ao terminal: { $what }.
said-copied-terminal = Enviado à área de transferência do terminal: { $what }.
clip-address = endereço do link
clip-message = mensagem para o comprador
clip-pix-code = código Pix
clip-key = código do saque
clip-request = requisição, sem segredos
clip-amount = valor do saque
clip-net = valor líquido
clip-said = o que o serviço respondeu
clip-when = data e hora do envio
clip-destination = chave Pix de destino
said-not-copied-clean = Não copiado: há caracteres invisíveis ou de controle, marcados na tela.
said-not-copied-unseen = Não copiado: longo demais para mostrar inteiro (mais de { $most } caracteres).
said-not-copied-long = Não copiado: é longo demais para o terminal. Está inteiro na tela.
said-not-copied-nothing = Não há o que copiar aqui.
said-opened = O navegador foi chamado.
said-not-opened = Não deu para chamar um navegador.
said-logged-in = Você entrou na conta.
said-logged-out = Você saiu da conta. As credenciais foram apagadas daqui.
said-lines-agreed = Linhas aceitas. Nada foi enviado: agora dá para enviar.
said-jwt-kept = JWT guardado. O serviço só o confere quando ele for usado.
said-domain-automatic = Novos links: o serviço escolhe seu domínio ativo.
said-domain-pending = { $host } ainda não está ativo: o serviço pode recusar links.
said-domain-named = Novos links abrem em { $host }.
said-domain-not-kept = O domínio vale só até você sair: não foi possível guardar.
said-refreshed = Atualizado.
said-refreshed-list = Lista atualizada.
said-refreshed-keyring = O chaveiro foi consultado de novo.
said-not-here = { $key } ({ $action }) não faz nada aqui agora.
said-sandbox-paid = O sandbox diz que um link foi pago: { $amount }.
said-fault-armed = Armada. { $name }.
said-faults-gone = Demonstração: as falhas foram retiradas.
said-started-over = Tudo novo: o banco do sandbox e os saques e links da demonstração.
said-domains-down = Demonstração: todos os domínios estão inativos.
said-domains-up = Demonstração: os domínios voltaram.
said-forwarded = Demonstração: o relógio foi adiantado 10 min.
said-domain-moved = Demonstração: mudou o estado de { $host }.
said-step-failed = Demonstração: um passo do roteiro não pôde ser feito.
said-not-granted = Demonstração: isso não dá agora. Nada mudou.
said-history = O histórico falhou: { $cause }. O dinheiro não é afetado.
    .damaged = está danificado
    .missing = não está mais lá
    .several = há mais de um, e falta escolher
    .newer = uma versão mais nova o gravou
    .read-only = não dá para gravar nele
    .full = não há mais espaço
    .not-private = outros podem mexer na pasta dele
    .busy = outro programa o está usando
    .io = erro do disco
said-system = O sistema disse: “{ $text }”
said-history-anew = Histórico danificado: começa um novo. O dinheiro não é afetado. Veja em Conta.
said-not-watching = O que outras janelas fazem só aparece ao atualizar a lista.
said-journal-picked = Registro de saques escolhido.
said-journal-not-picked = O registro de saques não mudou.
said-not-decided = Sua decisão não foi gravada.

palette-armed = Armada · { $what }
palette-armed-times = Armada { $n } vezes · { $what }
palette-armed-always = Armada sempre · { $what }
palette-armed-more = e mais { $n } armadas
palette-armed-count = { $n } falhas armadas
fault-lose-answer = Falha no saque: perder a resposta
fault-drop-before = Falha no saque: cair antes de chegar
fault-slow = Falha no saque: demorar 5 s
fault-cut-json = Falha no saque: cortar o JSON da resposta
fault-wrong-type = Falha no saque: resposta certa com Content-Type errado
fault-other-amount = Falha no saque: outro valor na resposta
fault-says-failed = Falha no saque: sucesso que diz “failed”
fault-redirect = Falha no saque: responder 307, outro endereço
fault-answer-400 = Falha no saque: responder 400
fault-expire-token = Falha no saque: vencer o token
fault-key-busy = Falha no saque: responder 409, idempotência em uso
fault-key-reused = Falha no saque: responder 422, idempotência já usada
fault-too-many = Falha no saque: responder 429, esperar 5 s
fault-answer-500 = Falha no saque: responder 500
fault-answer-503 = Falha no saque: responder 503
fault-no-quote = Falha na taxa: responder 503
fault-wrong-quote = Falha na taxa: conta que não fecha
fault-lose-link = Falha no link: perder a resposta
fault-expire-jwt = Falha no link: vencer o JWT
fault-refuse = Sandbox: recusar conexões
