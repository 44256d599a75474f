SELECT team, format, least_format, least_approvals FROM balcao.journal
