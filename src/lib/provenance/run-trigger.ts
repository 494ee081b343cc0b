/** Sources of runs, and what started them. The server stores the source; HCP Terraform has the first six. */
const SOURCES: Readonly<Record<string, string>> = {
  terraform: 'CLI',
  'terraform+cloud': 'CLI',
  'tfe-api': 'API',
  'tfe-configuration-version': 'upload of a configuration',
  'tfe-run-trigger': 'run trigger',
  'tfe-ui': 'console',
  'lockkeeper-cli': 'CLI',
  'lockkeeper-schedule': 'schedule',
};

/** Sources of runs that were started from a command line. The console filters runs by them. */
export const CLI_SOURCES: readonly string[] = Object.keys(SOURCES).filter((source) => SOURCES[source] === 'CLI');

/** Reasons that say more than the source. */
const REASONS: Readonly<Record<string, string>> = {
  vcs: 'version control',
  auto_destroy: 'automatic destroy',
  schedule: 'schedule',
  triggered: 'run trigger',
  assessment: 'health assessment',
};

/**
 * Returns how a run was started, for people: `Triggered via CLI (OpenTofu 1.10.7)`.
 * @param client program that sent the request, if it is known
 */
export function triggerText(source: string, reason: string, client: string | null): string {
  const way = REASONS[reason] ?? SOURCES[source] ?? source;
  return `Triggered via ${way}${client === null ? '' : ` (${client})`}`;
}
