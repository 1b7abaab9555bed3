/** As a plugin of kubectl, the program is called by another name. */
export type ProgramName = 'kronctl' | 'kubectl kron'
