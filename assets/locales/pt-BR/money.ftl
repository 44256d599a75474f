# As telas de dinheiro: links, cobranças, saques.
