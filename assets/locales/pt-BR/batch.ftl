# Muitos links de um arquivo.

# Um arquivo que não dá para ler
file-too-large = O arquivo tem { $bytes } bytes; o máximo são { $max }.
file-not-text = O arquivo não é um texto CSV. Na planilha, salve como CSV e use o arquivo salvo.
file-too-long = O arquivo tem { $lines } linhas; o máximo são { $max }. Divida em arquivos menores.
file-empty = O arquivo não tem linhas abaixo do cabeçalho.
file-no-amount = O arquivo não tem uma coluna “valor” (ou “amount”) na primeira linha.
file-no-description = O arquivo não tem uma coluna “descrição” (ou “description”) na primeira linha.
file-same-columns = As colunas “{ $one }” e “{ $other }” dizem a mesma coisa. Deixe só uma.
file-open-quote = As aspas abertas na linha { $line } não fecham.
file-two-decimals = A linha { $comma } usa vírgula nos centavos, e a linha { $point } usa ponto. Deixe todas do mesmo jeito.
file-unit = Todos os valores são números inteiros. O da linha { $line } é { $reais } ou { $centavos }?
    .script = Todos os valores são números inteiros: o da linha { $line } pode ser { $reais } ou { $centavos }. Diga com --unit reais ou --unit centavos.
    .ask = Digite r (reais) ou c (centavos):

# Uma linha que não vira link
line-empty = linha vazia
line-extra-cells = { $cells } células, e o cabeçalho tem { $columns }
line-total = parece um total: tem valor e não tem descrição
line-no-description = falta a descrição
line-long-description = descrição com { $length } letras; o máximo são { $max }
line-no-amount = falta o valor
line-not-an-amount = o valor não é um número
line-ambiguous = o valor pode ser { $one } ou { $other }: escreva com centavos
line-zero = o valor é zero
line-negative = o valor é negativo
line-large = o valor é alto demais
line-fraction = o valor tem fração de centavo
line-exists = já existe: link igual de { $when }
line-repeated = já existe: igual à linha { $line }
line-number = linha { $line }: { $text }

# Os estados de uma linha, no arquivo do resultado
batch-url = url
batch-state = estado
batch-reason = motivo
batch-skipped = não enviado
batch-waiting = esperando
batch-sending = enviando
batch-made = criado
batch-refused = recusado
batch-unknown = não se sabe

# balcao links create, links import
batch-file = { $file }: { $n ->
    [one] 1 linha
   *[other] { $n } linhas
}
batch-will = { $n ->
    [one] 1 link a criar: { $sum }
   *[other] { $n } links a criar: { $sum } no total, de { $least } a { $most }
}
batch-none = Nenhum link a criar.
batch-faults = { $n ->
    [one] 1 linha com problema:
   *[other] { $n } linhas com problema:
}
batch-existing = { $n ->
    [one] 1 link já existe e não será criado de novo:
   *[other] { $n } links já existem e não serão criados de novo:
}
batch-more = { $n ->
    [one] e mais 1 linha
   *[other] e mais { $n } linhas
}
batch-account = Conta { $identity }, em { $origin }.
batch-ask = Para criar, digite { $word } e Enter:
batch-fix = Nada foi enviado. Corrija as linhas, ou use --skip-faults para deixá-las de fora.
batch-not-compared = Sem login: o arquivo não foi comparado com os links já criados.
batch-progress = { $done } de { $all } · { $rate }/s · faltam { $left }
    .failed = { $text } · { $failed } sem link
batch-done = { $n ->
    [one] 1 link criado.
   *[other] { $n } links criados.
} Resultado: { $file }
batch-failed = { $n ->
    [one] 1 linha recusada pelo serviço.
   *[other] { $n } linhas recusadas pelo serviço.
}
batch-unsure = { $n ->
    [one] 1 linha sem resposta: o link pode existir. Confira antes de criar outro.
   *[other] { $n } linhas sem resposta: os links podem existir. Confira antes de criar outros.
}
batch-paused = Parado: { $why } { $n ->
    [one] Falta 1 linha.
   *[other] Faltam { $n } linhas.
}
    .login = o serviço não aceita o login. Entre de novo (balcao login, ou no app).
    .failures = três linhas seguidas falharam.
    .team-offline = sem conexão com o banco de dados da equipe.
    .stopped = você interrompeu.
batch-resume = Para continuar: { $command }
batch-not-shared = A equipe ainda não vê tudo deste lote. O resto vai quando o balcão abrir com conexão.
batch-busy = Este lote já está sendo enviado por outro processo ({ $process }). Espere ou feche o outro.
    .unknown = outro
batch-unfinished = Este arquivo tem um lote começado em { $when }, com { $n ->
    [one] 1 linha
   *[other] { $n } linhas
} por enviar. Para continuar, use --resume.
batch-no-unfinished = Não há lote começado deste arquivo nesta conta.
batch-result-there = O arquivo { $file } já existe. Diga outro com --result.
batch-read-only = Com --read-only nada é criado. Nada foi lido nem enviado.
batch-amount = Valor: { $why }.
batch-amount-whole = O valor { $amount } é { $reais } ou { $centavos }? Escreva com vírgula.
batch-description-long = A descrição tem { $length } letras; o máximo são { $max }.
batch-description-missing = Falta a descrição.

# balcao reconcile
reconcile-unknown = O arquivo não é um extrato: nem OFX, nem CSV com data e valor.
reconcile-first = Um link pago pelo serviço pode não aparecer no extrato de um banco.
reconcile-entries = { $n ->
    [one] 1 lançamento no extrato
   *[other] { $n } lançamentos no extrato
}
reconcile-payouts = { $n ->
    [one] 1 saque com um lançamento
   *[other] { $n } saques com um lançamento cada
}
reconcile-payout = saque de { $sent }, { $amount }: chegou { $day }, { $net }
reconcile-payout-unclear = saque de { $sent }, { $amount }, sem resultado: pode ser o de { $day }, { $net }
reconcile-certain = { $n ->
    [one] 1 cobrança com o código dela no extrato
   *[other] { $n } cobranças com o código delas no extrato
}
reconcile-possible = { $n ->
    [one] 1 valor igual: pode ser este pagamento
   *[other] { $n } valores iguais: podem ser estes pagamentos
}
reconcile-sale = { $amount } · { $made }, { $description }
reconcile-line = { $day }, { $memo }
reconcile-groups = { $n ->
    [one] 1 valor que se repete, sem proposta
   *[other] { $n } valores que se repetem, sem proposta
}
reconcile-group = { $amount } · { $sales } sem marca, { $entries } no extrato
reconcile-nothing-marked = Nada foi marcado.
reconcile-marked = { $n ->
    [0] Nada foi marcado.
    [one] 1 cobrança marcada como paga. Para desfazer: balcao reconcile --undo
   *[other] { $n } cobranças marcadas como pagas. Para desfazer: balcao reconcile --undo
}
reconcile-used = { $n ->
    [one] 1 lançamento já usado antes
   *[other] { $n } lançamentos já usados antes
}
reconcile-contradictions = { $n ->
    [one] 1 marca feita à mão em outro dia; nada muda
   *[other] { $n } marcas feitas à mão em outro dia; nada muda
}
reconcile-contradiction = { $sale }: marcada { $marked }, no extrato { $day }
reconcile-undone = { $n ->
    [one] 1 marca do último extrato desfeita.
   *[other] { $n } marcas do último extrato desfeitas.
}
reconcile-kept = { $n ->
    [one] 1 ficou, porque mudou depois.
   *[other] { $n } ficaram, porque mudaram depois.
}
reconcile-nothing-undone = Não há marcas de extrato para desfazer.
reconcile-no-file = Não foi possível ler o arquivo.
reconcile-late = A leitura demorou demais. Tente de novo.

# O extrato no app
reconcile-title = Conciliar extrato
reconcile-submit = Comparar
reconcile-hint = OFX ou CSV, do banco ou do serviço. Nada é marcado antes de você escolher.
reconcile-wait = Comparando o extrato
reconcile-none = Nada neste extrato combina com o que falta marcar.
field-statement = Arquivo do extrato
said-statement-marked = { $n ->
    [0] Nada foi marcado: estas linhas ou vendas mudaram.
    [one] 1 venda marcada como paga.
   *[other] { $n } vendas marcadas como pagas.
}
said-statement-saved = ✓ Extrato salvo: { $path }
said-statement-not-saved = O extrato não foi salvo.
