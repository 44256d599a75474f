# balcao report e a página Relatório.
report-order = O começo (--from) é depois do fim (--to).
report-days = { $first } a { $last }
report-no-domain = sem domínio conhecido
report-by =
    .day = Dia
    .week = Semana
    .month = Mês
    .domain = Domínio
    .description = Descrição
    .state = Estado
report-column =
    .links = links
    .links_sum = soma (R$)
    .marked = marcados
    .charges_sum = cobranças
    .withdrawals = saques
report-line =
    .links-made = Links criados
    .links-marked = { "  " }marcados como pagos
    .links-unmarked = { "  " }sem marca
    .charges-made = Cobranças criadas
    .charges-marked = { "  " }marcadas como pagas
    .charges-unmarked = { "  " }sem marca
    .accepted = Saques aceitos
    .fees = { "  " }taxas
    .net = { "  " }valor líquido
report-mark-means = A marca de pago vem de você, de um extrato ou do sandbox. O serviço não avisa quando pagam.
# Contados ao lado: nada disto entra nas somas.
report-inexact = { $n ->
    [one] Fora das somas: 1 com fração de centavo
   *[other] Fora das somas: { $n } com fração de centavo
}
report-without-fee = { $n ->
    [one] Fora das somas: 1 saque aceito sem taxa conhecida
   *[other] Fora das somas: { $n } saques aceitos sem taxa conhecida
}
report-found-paid = { $n ->
    [one] Fora das somas: 1 saque pago (declarado por você)
   *[other] Fora das somas: { $n } saques pagos (declarado por você)
}
report-open = { $n ->
    [one] Fora das somas: 1 saque em aberto
   *[other] Fora das somas: { $n } saques em aberto
}
report-unknown = { $n ->
    [one] { "  " }dele não se sabe o resultado
   *[other] { "  " }de { $n } não se sabe o resultado
}
report-put-away = { $n ->
    [one] Fora das somas: 1 link que você guardou fora da lista
   *[other] Fora das somas: { $n } links que você guardou fora da lista
}
report-state =
    .created = criado, sem marca
    .paid = marcado como pago
    .refused = recusado
    .not-sent = não enviado
    .unknown = resultado desconhecido
    .prepared = preparado
    .sending = sendo enviado
    .accepted = aceito pelo serviço
    .rejected = recusado pelo serviço
    .needs-person = confira na sua conta
    .mismatch = resposta não confere
    .discarded = descartado
    .resolved-paid = pago (declarado por você)
    .resolved-not-paid = não pago (declarado por você)
# As colunas do CSV.
report-csv =
    .from = de
    .to = até
report-csv-links =
    .made = links criados
    .made_sum = soma dos links (R$)
    .marked = links marcados como pagos
    .marked_sum = soma dos marcados (R$)
    .unmarked = links sem marca
    .unmarked_sum = soma dos sem marca (R$)
    .inexact = links fora da soma (fração de centavo)
    .count = links
    .sum = soma dos links (R$)
report-csv-charges =
    .made = cobranças criadas
    .made_sum = soma das cobranças (R$)
    .marked = cobranças marcadas como pagas
    .marked_sum = soma das cobranças marcadas (R$)
    .unmarked = cobranças sem marca
    .unmarked_sum = soma das cobranças sem marca (R$)
    .inexact = cobranças fora da soma (fração de centavo)
    .count = cobranças
    .sum = soma das cobranças (R$)
report-csv-withdrawals =
    .accepted = saques aceitos
    .accepted_sum = soma dos saques aceitos (R$)
    .fees = taxas (R$)
    .net = valor líquido (R$)
    .without_fee = saques aceitos sem taxa conhecida (fora da soma)
    .inexact = saques fora da soma (fração de centavo)
    .found_paid = saques pagos, declarado por você (fora da soma)
    .open = saques em aberto (fora da soma)
    .unknown = deles, de resultado desconhecido
    .count = saques
    .sum = soma dos saques (R$)
# A página Relatório.
report-title = Relatório
report-wait = Somando os valores
report-this = período
report-before = período anterior
report-bars = Links criados
report-period = Período
report-period-submit = Ver
report-period-hint = Por exemplo: novembro, 7 dias, 01/11/2026 ou 16/11-22/11
report-period-wrong = Não entendi. Por exemplo: novembro, 7 dias, 01/11/2026 ou 16/11-22/11
