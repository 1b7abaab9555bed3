import { EndpointPlanning } from '../../../src/scheduling/index.js'

/** The rules of a worker that takes no endpoint for broken: what can't be planned is an error. */
export function strictRules(): EndpointPlanning {
  return new EndpointPlanning({
    maxDefinitions: 100,
    readSteering: () => ({ problems: [] }),
    onBroken: (_, error) => {
      throw error
    },
  })
}
