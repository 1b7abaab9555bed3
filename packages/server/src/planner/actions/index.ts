export { appliedAction } from './applied-action.js'
export { applyProposal } from './apply-proposal.js'
export { closedTo } from './closed-endpoint.js'
export { maxActions, refusalOf } from './refusal.js'
