# O modo acessível: linhas de texto em vez de telas.

stream-begin = balcão em modo acessível: só linhas de texto. Para voltar às telas, digite sair e abra o balcão sem --accessible, sem accessible = true e sem a variável ACCESSIBLE. Enter diz o que dá para fazer.
stream-command = O que fazer?
stream-search = Buscar o quê?
stream-choose = Número, ou outra palavra?
stream-confirm = Confirmar
stream-accept = aceito
stream-ask-amount = { $label }? Digite o valor de novo e Enter. Só Enter volta. Valor?
stream-ask-accept = { $label }? Digite { $accept } e Enter. Só Enter volta. Resposta?
stream-submit = { $label }? Enter confirma; o número de um campo volta a ele. Resposta?
stream-submit-help = Aqui: Enter confirma, o número de um campo volta a ele, e voltar sai do formulário.
stream-field = { $label }, { $number } de { $count }
stream-field-value = , agora { $value }
stream-secret-typed = texto oculto
stream-key-up = seta para cima
stream-key-down = seta para baixo
stream-key-left = seta para a esquerda
stream-key-right = seta para a direita
stream-row = { $number }: { $row }
stream-more = Há mais linhas: digite mais.
stream-no-more = Não há mais linhas.
stream-no-row = Não há linha { $number } aqui.
stream-no-choice = Não há essa opção: digite o número dela.
stream-no-command = Nada aqui se chama { $word }. Enter diz o que dá para fazer.
stream-changed = A tela mudou antes da resposta. Responda de novo.
stream-list-changed = A lista mudou. Veja os números de novo.
stream-early = Cedo demais: nada foi confirmado. Espere um segundo depois da pergunta.
stream-other-amount = { $amount } não é o valor perguntado. Nada foi confirmado.
stream-other-word = Nada foi confirmado.
stream-not-confirmed = Não deu para confirmar. Confira e responda de novo.
stream-waiting = Ainda esperando: { $seconds } s.
stream-waited = A espera terminou: { $seconds } s.
stream-help-here = Aqui: { $actions }.
stream-help-panes = Painéis: { $panes }.
stream-help-always = Sempre: o número de uma linha, mais, ver, voltar, sair, ou outra palavra.
stream-help-field = No campo: Enter mantém o valor, um hífen apaga, voltar sai, e dois-pontos antes de uma palavra faz outra coisa. Um espaço antes de uma palavra faz dela o valor.

# As palavras que valem em todo lugar, separadas por espaços.
stream-back-words = voltar
# Numa pergunta, estas palavras também voltam: um sim não basta.
stream-yes-words = s sim y yes
stream-quit-words = sair
stream-help-words = ajuda
stream-again-words = ver
stream-more-words = mais
