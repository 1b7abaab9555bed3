export { addCompletion, completionScript, shells } from './completion-script.js'
export { type ManualEntry, manPage } from './man-page.js'
export { type ManualProgram, manualFiles } from './manual-files.js'
