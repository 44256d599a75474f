# The screens of money: links, charges, withdrawals.
