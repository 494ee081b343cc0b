import { startReceiver } from '../../support/receiver.ts';
import { type Case, reportCases } from '../support/cases.ts';
import { ownExecution } from '../support/execution.ts';
import { REPOSITORY, startGitHub } from '../support/github.ts';
import { goTest } from '../support/go-test.ts';
import { installed } from '../support/installation.ts';
import { type Serving, startServing } from '../support/serving.ts';
import skipped from './skipped.json' with { type: 'json' };
import { startSubscriptions } from './subscriptions.ts';
import { select, selectionArguments } from './suite.ts';
import { runSkipped, useTakenTexts } from './texts.ts';

/**
 * The tests name the product for which they are, HCP Terraform or Terraform Enterprise; each test runs for at least
 * one.
 */
const ONLY_HOSTED = /Set ENABLE_TFE=0 to run/;
const ONLY_SELF_HOSTED = /Set ENABLE_TFE=1 to run/;
/** Number of runs that are executed at a time. */
const SLOTS = 4;
/** These tests share a variable without a lock. */
const ONE_BY_ONE = /^TestTeamMembers/;

useTakenTexts(installed.goTfe);
runSkipped(installed.goTfe);
const { tests, skippedSubtests, leftOut } = select(installed.goTfe, skipped);

/** The integration tests of go-tfe, except for three texts (texts.ts), against one server. */
async function runGoTfe(): Promise<void> {
  const receiver = await startReceiver();
  const notifications = `{ allowed_addresses: [127.0.0.1], authorities_file: ${receiver.caFile} }`;
  const execution = await ownExecution(SLOTS);
  const github = await startGitHub();
  const settings = `notifications: ${notifications}\n${execution.settings}${github.settings}`;
  const serving = await startServing(undefined, settings, github.environment);
  const subscriptions = await startSubscriptions(serving);
  const receiving = { TFC_RUN_TASK_URL: receiver.address, OAUTH_CLIENT_GITHUB_TOKEN: github.fake.token };
  try {
    const selfHosted = await runTests(tests, serving, { ...receiving, ENABLE_TFE: '1' });
    const others = tests.filter((test) => selfHosted.some((it) => isPartOf(it, test) && ONLY_HOSTED.test(it.detail)));
    const hosted = await runTests(others, serving, {
      ...{ ...receiving, ENABLE_TFE: '0' },
      TFE_ADDRESS: subscriptions.address,
    });
    reportCases('go-tfe', selfHosted.filter(({ detail }) => !ONLY_HOSTED.test(detail)).concat(leftOut));
    reportCases(
      'go-tfe, what is for a hosted service',
      hosted.filter(({ detail }) => !ONLY_SELF_HOSTED.test(detail)),
    );
  } finally {
    await subscriptions.stop();
    await serving.stop();
    execution.remove();
    await receiver.stop();
    await github.stop();
  }
}

async function runTests(names: readonly string[], serving: Serving, edition: Record<string, string>): Promise<Case[]> {
  const env = {
    TFE_ADDRESS: serving.address,
    TFE_TOKEN: serving.userToken,
    TFE_ADMIN_PROVISION_LICENSES_TOKEN: serving.userToken,
    SSL_CERT_FILE: serving.caFile,
    ENABLE_BETA: '1',
    GITHUB_POLICY_SET_IDENTIFIER: REPOSITORY,
    ...edition,
  };
  const runSome = (some: readonly string[], parallel: number) =>
    goTest(
      installed.goTfe,
      ['-vet=off', '-timeout=15m', `-parallel=${parallel}`, ...selectionArguments(some, skippedSubtests), '.'],
      env,
    );
  const together = await runSome(
    names.filter((name) => !ONE_BY_ONE.test(name)),
    8,
  );
  const alone = names.filter((name) => ONE_BY_ONE.test(name));
  // Eight tests at a time share one server and wait for each other's work: a failed test must pass when it runs
  // separately.
  const disturbed = names.filter((name) => together.some((it) => it.outcome === 'failed' && isPartOf(it, name)));
  for (const { name, outcome, detail } of together) {
    if (outcome === 'failed') console.warn(`among others ${name} has failed, and runs once more: ${detail}`);
  }
  const again = [...alone, ...disturbed];
  const undisturbed = together.filter((it) => !disturbed.some((name) => isPartOf(it, name)));
  const cases = again.length > 0 ? [...undisturbed, ...(await runSome(again, 1))] : undisturbed;
  const ended = new Set(cases.map(({ name }) => name));
  const lost = names.filter((name) => !ended.has(name));
  return [...cases, ...lost.map((name): Case => ({ name, outcome: 'failed', detail: 'was not run' }))];
}

function isPartOf({ name }: Case, test: string): boolean {
  return name === test || name.startsWith(`${test}/`);
}

await runGoTfe();
