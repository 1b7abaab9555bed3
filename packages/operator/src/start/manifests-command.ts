import { badArgument, type CommandHost, type ExitCode, exitCodes } from '@kron/command'
import { quote, suggestion } from '@kron/core'
import { kronVersion } from '@kron/runtime'
import { generatedFiles } from '../manifests/index.js'
import { defaultNames, type ManifestName, manifestNames } from './manifest-names.js'

/** `kron-operator manifests [names...]`: the files of `deploy/kubernetes` of this version. */
export function manifestsCommand(
  names: readonly string[],
  { stdout }: Pick<CommandHost, 'stdout'>,
): ExitCode {
  const files = generatedFiles(kronVersion)
  const wanted = names.length === 0 ? defaultNames : [...new Set(names.map(checked))]
  stdout.write(wanted.map((name) => files.get(`kubernetes/${name}.yaml`)!).join('---\n'))
  return exitCodes.success
}

function checked(name: string): ManifestName {
  const known = manifestNames.find((each) => each === name)
  if (known !== undefined) return known
  const near = suggestion(name, manifestNames) || `, known are ${manifestNames.join(', ')}`
  throw badArgument('name', `no manifest ${quote(name)}${near}`)
}
