import type { Command } from 'commander';
import type { AgentCommandOptions } from './agent-options.ts';

/** `lockkeeper agent`: carries out plans and applies. What it needs is loaded when it runs. */
export function addAgent(program: Command): void {
  program
    .command('agent')
    .description('carry out runs: take their jobs from a server, until it is told to stop')
    .option('--config <file>', 'the settings, YAML; each of them is a flag too, which goes over it')
    .option('--address <url>', 'of the server; else LOCKKEEPER_ADDR')
    .option('--cert <file>', 'PEM: the certificate to log in with; else LOCKKEEPER_CERT')
    .option('--key <file>', 'PEM: its private key; else LOCKKEEPER_KEY, else in the same file')
    .option('--ca-cert <file>', 'PEM: whom the server is trusted by; else LOCKKEEPER_CACERT')
    .option('--role <name>', 'the one to log in with; else LOCKKEEPER_ROLE, else any that admits the certificate')
    .option('--mount <path>', 'where the certificate method is; else LOCKKEEPER_MOUNT, else cert')
    .option('--token-file <file>', 'in place of a certificate: the token of an agent pool')
    .option('--name <name>', 'what it is called where agents are listed; else the name of the machine')
    .option('--slots <n>', 'how many jobs it carries out at a time; else 1')
    .option('--isolation <way>', 'bubblewrap or none; else bubblewrap')
    .option('--network <which>', 'network of runs in a sandbox: isolated or host; else isolated')
    .option('--denied-addresses <list>', 'comma-separated IP addresses and CIDR blocks that runs cannot reach')
    .option('--reach-server <true|false>', 'whether runs can connect to a server on this machine; else true')
    .option('--job-memory <MiB>', 'total memory of the commands of a job; else 4096')
    .option('--job-processes <n>', 'processes and threads of a job; else 2048')
    .option('--job-files <n>', 'open files of each process of a job; else 65536')
    .option('--job-disk <MiB>', 'disk space of the folders of a job; else 10240')
    .option('--job-cpus <n>', 'processors of a job, needs a delegated control group; else all')
    .option('--engines <folder>', 'engines by version, as opentofu/1.12.6/tofu; then comes the PATH')
    .option('--engine <program>', 'one that is used whatever version is wanted; else LOCKKEEPER_ENGINE')
    .option('--engine-downloads <true|false>', 'whether engines that are not here are downloaded; else true')
    .option('--providers <folder>', 'providers, as `terraform providers mirror` lays them out')
    .option('--provider-cache <folder>', 'where providers that were fetched are kept for all jobs')
    .option('--provider-cache-size <MiB>', 'maximum size of the provider cache; else 10240')
    .option('--folder <folder>', 'of this agent alone, for the files of jobs')
    .option('--stop-timeout <duration>', 'how long jobs may go on after SIGTERM; else until they end')
    .option('--job <id>', 'carry out this job, which was handed out elsewhere, and end')
    .option('--job-token-file <file>', 'the token of that job; else LOCKKEEPER_JOB_TOKEN_FILE')
    .option('--embedded', 'take settings and tokens as lines of JSON from standard input, and stop at its end')
    .action(async (options: AgentCommandOptions) => await (await import('./run-agent.ts')).runAgent(options));
}
