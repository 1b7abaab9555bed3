/** c0 + c1*x + c2*x² + … by Horner's rule, in this order of operations and no other. */
export function polynomial(coefficients: Float64Array, x: number): number {
  let sum = 0
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!
  return sum
}
