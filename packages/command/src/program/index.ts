export {
  type ExitCode,
  type ExitMeanings,
  exitCodeOf,
  exitCodes,
  exitCodesText,
} from './exit-code.js'
export {
  CommandFailure,
  type Explain,
  type Failure,
  isCommanderError,
  reportFailure,
} from './failure.js'
export { type CommandHost, endProcess, processHost } from './host.js'
export {
  appended,
  calledCommand,
  type Done,
  pathOf,
  runProgram,
  withAlias,
  withHost,
  withOutput,
} from './program.js'
