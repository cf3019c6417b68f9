import Commands
import Glibc

exit(RecorderCommand.run(Array(CommandLine.arguments.dropFirst())))
