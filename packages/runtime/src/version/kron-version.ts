/** Of every package and program: they are released together. Written by `npm run version:set`. */
export const kronVersion = '0.1.0'
