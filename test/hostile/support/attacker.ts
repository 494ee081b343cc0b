/**
 * Runs an attack as a separate process: `attacker.ts NAME TARGET`, where TARGET is JSON. Prints a line when the attack
 * starts, and exits by itself after a while.
 */
import { CALLERS, STRANGERS } from '../attacks/index.ts';
import type { Target } from './target.ts';

const LONGEST_MS = 60_000;

const [name = '', target = '{}'] = process.argv.slice(2);
const attack = STRANGERS[name] ?? CALLERS[name];
if (!attack) throw new Error(`no such attack: ${name}`);
setTimeout(() => process.exit(0), LONGEST_MS);
process.once('SIGTERM', () => process.exit(0));
const ready = (): void => console.log('ready');
if (name in STRANGERS) ready();
await attack(JSON.parse(target) as Target, ready);
