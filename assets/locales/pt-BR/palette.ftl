# O que o Ctrl-K oferece além do que as teclas já dizem.
command-new-link = Novo link
command-new-withdrawal = Novo saque
command-new-charge = Nova cobrança direta

# Outras palavras pelas quais cada linha é achada, em qualquer um dos idiomas; o começo de uma basta.
also-links = links endereços pagamentos whatsapp checkout
also-domains = domínios sites hosts endereços
also-withdrawals = saques sacar retiradas transferências pix dinheiro recebedor
also-charges = cobranças diretas pix pagamentos comprador copia cola boleto
also-exchanges = requisições trocas pedidos respostas http json log suporte
also-account = conta perfil saldo login logar entrar deslogar logout desconectar senha token jwt chaveiro configurações
also-help = ajuda teclas atalhos comandos manual
also-redraw = redesenhar limpar tela
also-show-other = ver outro saque
also-search = buscar procurar pesquisar achar filtrar
also-open = ver abrir detalhes escolher tentativas
also-repeat = repetir duplicar igual de novo
also-refresh = atualizar recarregar consultar ler de novo
also-send = enviar reenviar mandar saque de novo
also-copy = copiar link endereço url código
also-copy-message = copiar mensagem comprador whatsapp compartilhar texto
also-browse = abrir navegador link site página
also-qr = qr code qrcode código tela cheia
also-check = conferir procurar conta saque
also-found = achei pago conferi
also-not-paid = não pago
also-journals = registros diários arquivos saques
also-discard = descartar apagar excluir remover saque
also-log-in = entrar login logar conectar senha
also-log-out = sair da conta logout deslogar desconectar esquecer credenciais
also-paste-jwt = colar jwt token
also-contract = contrato linhas regras dinheiro
also-leave = sair fechar encerrar programa
also-new-link = novo criar fazer gerar link pagamento cobrar
also-new-withdrawal = novo fazer criar saque sacar retirar pix taxa transferir
also-new-charge = nova novo criar fazer cobrança direta cobrar pix comprador
also-buyers-view = visão comprador página checkout pagar
also-story = roteiro história começar demonstração
also-story-next = roteiro história próximo passo demonstração
also-story-stop = roteiro história parar demonstração
also-captions-off = roteiro legendas esconder
also-captions-on = roteiro legendas mostrar
also-fault = falha falhas erro
also-no-faults = sandbox retirar tirar falhas erro
also-domains-down = sandbox desativar domínios
also-domains-up = sandbox reativar domínios
also-forward = sandbox adiantar relógio tempo
also-start-over = sandbox recomeçar reiniciar zero

# O que desfaz, encerra ou atrapalha só é achado por uma destas palavras, inteira.
only-leave = sair fechar encerrar
only-log-out = sair logout deslogar desconectar esquecer
only-discard = descartar excluir apagar
only-fault = falha falhas sandbox
only-domains-down = desativar sandbox
only-forward = adiantar sandbox
only-start-over = recomeçar reiniciar sandbox
