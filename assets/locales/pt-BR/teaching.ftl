# Ensinar: onde estão os valores de uma resposta e como uma solicitação é enviada.

teach-title = Ensinar: { $what }
teach-intro-reply = Veja o que o balcão lê nesta resposta e o que ele envia. Mude o que não serve.
teach-intro-no-json = O serviço aceitou, mas a resposta não é JSON. Mude o que o balcão envia.
teach-intro-refused = O serviço recusou esta solicitação. Mude o que o balcão envia.
teach-head-reply = Procurado na resposta
teach-head-request = Na solicitação vai
teach-head-save = Pronto?
teach-new-field = + campo novo no corpo
teach-to-save =
    { $n ->
        [one] Rever e salvar 1 linha
       *[other] Rever e salvar { $n } linhas
    }
teach-missing = não encontrado
teach-absent = não veio
teach-hidden = valor oculto
teach-empty = nada
teach-entries =
    { $n ->
        [one] 1 item
       *[other] { $n } itens
    }
teach-domains =
    { $n ->
        [0] nenhum domínio
        [one] 1 domínio: { $hosts }
       *[other] { $n } domínios: { $hosts }
    }
teach-where = Onde está { $what }?
    .state = Onde diz se o domínio está ativo?
teach-optional = Pode estar nesta mesma resposta. { $key }: não está aqui.
teach-looked-for = Procurado em: { $places }
teach-reads = Lido assim: { $value }
teach-would-read = Esta resposta se lê assim:
teach-reads-nothing = Nesta linha não há o que ler.
teach-unfit = Isto não pode ser { $what }. Escolha outra linha.
teach-reply-itself = a resposta
teach-list =
    { $n ->
        [one] lista de 1
       *[other] lista de { $n }
    }
teach-object =
    { $n ->
        [one] objeto com 1 membro
       *[other] objeto com { $n } membros
    }
teach-intro-line = Assim como está no formato do serviço. Nada é enviado agora.
teach-intro-headers = Um cabeçalho por linha, como X-Loja: 12. No da credencial, { $open } marca o lugar dela.
teach-intro-field = Um campo do corpo. Sempre igual: o valor vai em toda solicitação.
teach-line-submit = Usar
teach-refused = O formato do serviço não aceita: { $why }
teach-field-name = Nome na solicitação
teach-field-use = Na solicitação
teach-field-label = Nome na tela
teach-field-value = Valor
teach-use-asked = pedir sempre
teach-use-optional = pode ficar vazio
teach-use-fixed = sempre igual
teach-use-absent = não enviar
teach-review-intro = Estas linhas vão para o formato deste perfil. Ao salvar, você as aceita:
teach-was = antes: { $old }
teach-would-leave = A próxima solicitação sai assim:
teach-body-unknown = O corpo depende do que for digitado.
teach-writing = Gravando…
teach-sought-token = o token da API
teach-sought-jwt = o JWT
teach-sought-expires-in = a validade em segundos
teach-sought-expires-at = a data em que expira
teach-sought-expires = { teach-sought-expires-at }
teach-sought-under = a lista de domínios
teach-sought-host = o domínio de cada item
teach-sought-state = se o domínio está ativo
teach-sought-url = o endereço do link
teach-sought-pix-code = o código Pix
teach-sought-net = o valor líquido
teach-sought-fee = a taxa
teach-sought-id = o identificador
teach-sought-status = o estado
teach-sought-end-to-end = o endToEndId
teach-sought-receipt = o comprovante
teach-sought-echo-amount = o valor repetido
teach-sought-echo-destination = a chave repetida
teach-sent-field = Campo
teach-sent-path = Caminho
teach-sent-method = Método
teach-sent-amount = Nome do valor
teach-sent-amounts = Valores
teach-amounts-where = Vale para
teach-amounts-everywhere = todas as operações
teach-amounts-here = só esta operação
teach-sent-description = Nome da descrição
teach-sent-domain = Nome do domínio
teach-sent-unit = Unidade do valor
teach-sent-amount-sent = Valor enviado como
teach-sent-amount-read = Valor lido com
teach-sent-key-header = Cabeçalho do código
teach-sent-key-format = Forma do código
teach-sent-key-in-body = Código no corpo
teach-sent-credential = Credencial
teach-sent-credential-headers = Cabeçalhos dela
teach-sent-headers = Outros cabeçalhos
teach-sent-header = Cabeçalho
teach-sent-encoding = Corpo escrito como
teach-sent-success = Respostas de sucesso
