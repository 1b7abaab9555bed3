export { generatedFiles } from './generated-files.js'
export type { Manifest } from './installation.js'
export { defaultInstallation, type Installation } from './installation.js'
export {
  editRules,
  leaseName,
  leaseRules,
  operatorRules,
  type PolicyRule,
  viewRules,
} from './rbac-rules.js'
export { roles } from './roles.js'
