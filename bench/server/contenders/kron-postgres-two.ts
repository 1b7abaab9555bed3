import { kronWith } from './kron-postgres.ts'

export const create = kronWith(2)
