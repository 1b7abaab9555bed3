export { ApiError, unauthenticated } from './api-error.js'
export { type Problem, type ProblemAnswer, problemOf, problemType } from './problem.js'
export { type ProblemCode, problemCodes } from './problem-codes.js'
