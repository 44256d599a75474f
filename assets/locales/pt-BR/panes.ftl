# As telas do painel.
