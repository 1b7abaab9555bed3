import { exitCodesText } from '@kron/command'
import type { Command } from 'commander'

export const programText = `
The server is --server, KRON_SERVER, or http://127.0.0.1:7077. The API key is --key, KRON_KEY, or in
the file of KRON_KEY_FILE or ~/.config/kron/key, which only you may read.
Jobs, endpoints and keys are named by id, or by name where the name is unique.`

/** Each works as it stands, given that what it names is there. */
export const examples: readonly string[] = [
  'kron serve',
  'kron serve --allow-local',
  'kron serve --data /var/lib/kron --host 0.0.0.0 --public-url https://kron.example.com',
  'kron serve --database postgres://kron@db.example.com/kron --role worker',
  'kron serve --role worker --port 9100 --connections 2000',
  'kron serve --allow 10.20.0.0/16 --allow 127.0.0.1:8080',
  'kron serve --system-quotas runs-per-month=1000000,ai-calls-per-month=500',
  'kron tenants list --data /var/lib/kron',
  'kron tenants usage --format json',
  'kron tenants create "Example Inc."',
  'kron tenants create shop --database postgres://kron@db.example.com/kron',
  'kron tenants show default',
  'kron tenants quotas default --endpoints 100 --runs-per-month 1000000',
  'kron tenants quotas default --requests-per-minute none',
  'kron tenants new-key default --name rescue --expires-in 1d',
  'kron tenants suspend default',
  'kron tenants resume default',
  'kron tenants rename default shop',
  'kron tenants delete default --confirm default',
  'kron tenants retention default --run-days 90 --runs-per-endpoint 50000 --body-days 3',
  'kron jobs list --status active',
  'kron jobs create nightly --description "what runs at night"',
  'kron jobs show nightly',
  'kron jobs pause nightly',
  'kron jobs resume nightly',
  'kron jobs archive nightly',
  'kron jobs delete nightly --yes',
  'kron endpoints list --job nightly',
  'kron endpoints create sync --job nightly --url https://api.example.com/sync --every 5m',
  `kron endpoints create report --job nightly --url https://example.com/report --method POST \\
    --cron "0 3 * * * @win(after,2h)" --timezone Europe/Paris --json '{"run":"{{runId}}"}'`,
  `kron endpoints create ping --job nightly --url https://example.com/ping --every 1m \\
    --header "authorization: Bearer abc" --timeout 5s --attempts 3 --set steering=true`,
  'kron endpoints show sync',
  'kron endpoints show nightly/sync',
  'kron endpoints update sync --cron "*/10 * * * *"',
  'kron endpoints update sync --header "x-token: abc" --header "x-old:"',
  'kron endpoints update sync --set deadlineMs=null',
  'kron endpoints pause sync --for 2d',
  'kron endpoints resume sync',
  'kron endpoints archive sync',
  'kron endpoints reset-failures sync',
  'kron endpoints hint sync --every 1m --ttl 30m --reason "catching up"',
  'kron endpoints hint sync --at 2026-03-02T06:00:00+01:00 --ttl 2d',
  'kron endpoints clear-hints sync',
  'kron endpoints next sync --limit 5',
  'kron endpoints explain sync',
  'kron endpoints advice sync',
  'kron endpoints health sync',
  'kron endpoints delete sync --yes',
  'kron runs list --endpoint sync --status failure --status timeout',
  'kron runs list --from 2026-03-01T00:00:00Z --limit 100 --format json',
  'kron runs list --follow',
  'kron runs show run_01k9x2v7m0e5s3q8r4t6w1y2zc_mjd1k5c0',
  'kron runs show run_01k9x2v7m0e5s3q8r4t6w1y2zc_mjd1k5c0 --body > answer.json',
  'kron runs cancel run_01k9x2v7m0e5s3q8r4t6w1y2zc_mjd1k5c0',
  'kron runs replay run_01k9x2v7m0e5s3q8r4t6w1y2zc_mjd1k5c0 --wait',
  'kron run-now sync',
  'kron run-now sync --wait --timeout 2m',
  'kron pause sync',
  'kron pause sync --for 90m --reason maintenance',
  'kron pause sync --until 2030-03-01T06:00:00Z',
  'kron forecast --for 1d',
  'kron keys list',
  'kron keys create deployment --scope read --scope write --expires-in 90d',
  'kron keys show deployment',
  'kron keys revoke deployment',
  'kron secrets list',
  'kron secrets put billing',
  'kron secrets put billing --value - < billing.secret',
  'kron secrets show billing',
  'kron secrets rotate billing --overlap 48h',
  'kron secrets delete billing --yes',
  'kron audit --limit 10',
  'kron quotas --format json',
]

const ofProgram: readonly string[] = [
  'kron jobs create nightly',
  'kron endpoints create sync --job nightly --url https://api.example.com/sync --every 5m',
  'kron run-now sync --wait',
  'kron runs --follow',
]

/** Gives each command, and each group of commands, the examples that are about it. */
export function addExamples(program: Command): void {
  program.addHelpText('after', `${programText}\n${examplesText(ofProgram)}\n\n${exitCodesText}`)
  for (const command of program.commands) addTo(command, `${program.name()} ${command.name()}`)
}

function addTo(command: Command, path: string): void {
  const own = examples.filter((example) => example.startsWith(`${path} `) || example === path)
  if (own.length > 0) command.addHelpText('after', examplesText(own))
  for (const sub of command.commands) addTo(sub, `${path} ${sub.name()}`)
}

const examplesText = (lines: readonly string[]): string =>
  ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')
