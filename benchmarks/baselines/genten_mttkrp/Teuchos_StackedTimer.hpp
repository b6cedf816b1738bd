// See Teuchos_TimeMonitor.hpp.
