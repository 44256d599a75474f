# The screens of the panes.
