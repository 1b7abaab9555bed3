export { addCompletion, completionScript, type Shell, shells } from './completion-script.js'
export {
  type ManPageOptions,
  type ManualEntry,
  type ManualSection,
  manPage,
} from './man-page.js'
export { type ManualProgram, manualFiles } from './manual-files.js'
