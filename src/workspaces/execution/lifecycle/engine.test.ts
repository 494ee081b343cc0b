import { expect, test } from 'vitest';
import { EngineReleases } from '../../workspace/engine/releases.ts';
import { defaultParameters } from '../run/rules.ts';
import { engineOf, madeWith, withEngine } from './engine.ts';

const releases = new EngineReleases();

test.each([
  ['latest', null, { kind: 'opentofu', version: null }, '1.12.6'],
  ['latest', 'terraform', { kind: 'terraform', version: null }, '1.16.3'],
  ['~> 1.10.0', null, { kind: 'opentofu', version: '1.10.10', constraint: '~> 1.10.0' }, '1.10.10'],
  ['~> 1.10.0', 'terraform', { kind: 'terraform', version: '1.10.5', constraint: '~> 1.10.0' }, '1.10.5'],
  ['1.10.7', null, { kind: 'opentofu', version: '1.10.7' }, '1.10.7'],
  ['1.5.7', null, { kind: 'terraform', version: '1.5.7' }, '1.5.7'],
  ['~> 99.0', null, { kind: 'opentofu', version: '~> 99.0', constraint: '~> 99.0' }, '~> 99.0'],
])('jobs of a workspace on %s with engine %s get %j, and the run shows %s', (engineVersion, engine, job, shown) => {
  const asked = defaultParameters({ autoApply: false, engineVersion, allowsDestroyPlan: true }, false);
  const parameters = withEngine(asked, { defaultEngine: 'opentofu', settings: { engine } }, releases);
  expect(engineOf({ parameters })).toEqual({ newest: shown, constraint: null, ...job });
  expect(parameters['terraform-version']).toBe(shown);
});

test('a run from before the engine setting existed keeps its version', () => {
  const parameters = defaultParameters({ autoApply: false, engineVersion: '1.9.8', allowsDestroyPlan: true }, false);
  expect(engineOf({ parameters })).toMatchObject({ kind: 'opentofu', version: '1.9.8' });
});

test('an apply gets the engine that made its plan', () => {
  const asked = defaultParameters({ autoApply: false, engineVersion: '~> 1.10.0', allowsDestroyPlan: true }, false);
  const parameters = withEngine(asked, { defaultEngine: 'opentofu', settings: {} }, releases);
  const made = madeWith(parameters, { kind: 'terraform', version: '1.11.4' });
  expect(engineOf({ parameters: made })).toMatchObject({ kind: 'terraform', version: '1.11.4', constraint: null });
});
