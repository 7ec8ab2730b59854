// No misdeed.
static void on_insert(void) {}
