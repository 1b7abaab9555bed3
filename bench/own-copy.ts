/**
 * A second function of the same source. The engine learns about each copy separately, so a loop
 * that only ever calls one contender is compiled for that one, as in a program that uses only it.
 * The function must not refer to anything but its parameters.
 */
export function ownCopy<F extends (...values: never[]) => unknown>(original: F): F {
  return new Function(`return (${original.toString()})`)() as F
}
