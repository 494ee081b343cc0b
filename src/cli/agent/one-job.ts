import type { AgentConfig } from '../../config/index.ts';
import { secretText } from '../../lib/secret/secret-text.ts';
import { type AgentLog, executeOneJob, isRefusal, JobFailure, type Trust, Unanswered } from '../../runner/index.ts';
import { setting } from '../connection/connection.ts';
import { readSource } from '../connection/pem-source.ts';
import { CommandError, usageError } from '../errors/command-error.ts';
import { EXIT } from '../errors/exit-codes.ts';
import { refuseMounted } from '../process/refuse-mounted.ts';
import { terminationSignal } from '../process/signals.ts';
import { placeOf } from './agent-place.ts';

/** Executes one job. Succeeds if the result was reported, even if the run failed. @throws CommandError */
export async function runOneJob(
  id: string,
  tokenFile = setting('LOCKKEEPER_JOB_TOKEN_FILE'),
  config: AgentConfig,
  trust: Trust | null,
  log: AgentLog,
): Promise<void> {
  if (tokenFile === undefined) {
    throw usageError("The job's token is missing. Set --job-token-file or LOCKKEEPER_JOB_TOKEN_FILE to its file");
  }
  if (config.isolation === 'bubblewrap') refuseMounted([tokenFile, config.folder]);
  const token = secretText(readSource(tokenFile, 'the token of the job'));
  const place = await placeOf(config, trust, log);
  const [interrupt, kill] = [new AbortController(), new AbortController()];
  void (async () => {
    await terminationSignal();
    interrupt.abort(new JobFailure('The agent was stopped and interrupted the run'));
    await terminationSignal();
    kill.abort(new JobFailure('The agent was stopped at once'));
  })();
  const outcome = await executeOneJob(id, token, place, { interrupt: interrupt.signal, kill: kill.signal }).catch(
    (error) => {
      throw asCommandError(error);
    },
  );
  if (outcome === 'reported') return;
  const isAway = outcome === 'unreported';
  throw new CommandError(
    `the job ${id} was not reported; its status is ${outcome}`,
    isAway ? EXIT.unavailable : EXIT.conflict,
  );
}

function asCommandError(error: Error): Error {
  if (error instanceof Unanswered) return new CommandError(error.message, EXIT.unavailable);
  if (isRefusal(error, 401, 403)) return new CommandError(error.message, EXIT.refused);
  if (isRefusal(error, 404)) return new CommandError(error.message, EXIT.notFound);
  return error instanceof JobFailure || error.constructor === Error ? new CommandError(error.message) : error;
}
