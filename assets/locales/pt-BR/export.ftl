# Exportar uma lista para um arquivo (e em Links, Saques e Cobranças).
export-title-links = Exportar links
export-title-charges = Exportar cobranças
export-title-withdrawals = Exportar saques
export-what = O arquivo leva tudo o que a lista mostra, com a busca e os filtros de agora e na mesma ordem.
field-export-format = Formato
export-csv = CSV (planilha)
export-json = JSON (um objeto por linha)
field-export-personal = Dados pessoais
export-masked = mascarados
export-unmasked = por inteiro
export-masked-means = Nomes, documentos, chaves Pix, bilhetes e mensagens saem mascarados.
export-unmasked-means = O arquivo terá nomes, documentos e chaves Pix por inteiro. Guarde e envie com cuidado.
export-submit = Exportar
export-wait = Escrevendo o arquivo
export-not-saved = Não deu para salvar o arquivo: { $why }
# O começo do nome do arquivo, sem acentos.
export-file-links = links
export-file-charges = cobrancas
export-file-withdrawals = saques
said-list-exported = { $n ->
    [one] ✓ 1 linha exportada
   *[other] ✓ { $n } linhas exportadas
}
said-list-put-away = { $n ->
    [one] 1 link guardado ficou de fora
   *[other] { $n } links guardados ficaram de fora
}
said-list-path = { $count }: { $path }
# Quantos dos links escritos por um comando o aplicativo não lista.
list-put-away = { $n ->
    [one] 1 destes links está guardado, fora da lista do app.
   *[other] { $n } destes links estão guardados, fora da lista do app.
}
# As colunas do CSV de uma lista.
rows-csv =
    .at = criado em
    .account = conta
    .amount = valor (R$)
    .description = descrição
    .checkoutDomain = domínio
    .state = estado
    .outcome = resultado
    .url = endereço
    .message = mensagem do serviço
    .markedPaid = marcado como pago em
    .sandboxPaid = pago no sandbox em
    .note = bilhete
    .putAway = guardado em
    .customer = comprador
    .buyer = dados do comprador
    .serviceState = estado no serviço
    .id = código no serviço
    .status = estado, como veio
    .pixCode = Pix Copia e Cola
    .expires = validade
    .agreed = confirmado em
    .key = código do saque
    .open = em aberto
    .origin = serviço
    .fee = taxa (R$)
    .net = valor líquido (R$)
    .destination = destino
    .nickname = apelido
    .attempts = tentativas
rows-csv-outcome =
    .created = criado
    .refused = recusado
    .not-sent = não enviado
    .unknown = desconhecido
rows-csv-yes = sim
rows-csv-no = não
