// GenTen's headers ask for Teuchos, of which the wheel of pygenten ships the library but no headers: no timers.
#define TEUCHOS_FUNC_TIME_MONITOR(name)
#define TEUCHOS_FUNC_TIME_MONITOR_DIFF(name, variable)
