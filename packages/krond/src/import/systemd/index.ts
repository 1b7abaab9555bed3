export { importedTimer } from './timer-import.js'
