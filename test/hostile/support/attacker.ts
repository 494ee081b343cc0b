/** An attack as a process of its own: `attacker.ts NAME TARGET`, where TARGET is JSON. Ends by itself after a while. */
import { ATTACKS } from '../attacks/index.ts';
import type { Target } from './target.ts';

const LONGEST_MS = 60_000;

const [name = '', target = '{}'] = process.argv.slice(2);
const attack = ATTACKS[name];
if (!attack) throw new Error(`no such attack: ${name}`);
setTimeout(() => process.exit(0), LONGEST_MS);
process.once('SIGTERM', () => process.exit(0));
await attack(JSON.parse(target) as Target);
