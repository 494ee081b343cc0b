import { hasParts, parseExactJson } from '../../../../../src/lib/exact-json/exact-json.ts';
import { answerAsThread } from '../../../api/worker.ts';
import * as texts from '../texts.ts';
import { Md5 } from './md5.ts';
import type { Question, Reading } from './questions.ts';
import { compareValues, type StateFile } from './state-file.ts';

/** Size of the parts in which a file is read, bytes. */
const PART = 4_194_304;

/** Cache of state files by version id: keeps the two most recently read. */
const files = new Map<string, Promise<StateFile>>();
const MOST_FILES = 2;

answerAsThread<Question, Reading>(async (question) => {
  if ('file' in question) return { described: await describe(question.file) };
  const [before, after] = await Promise.all([fileOf(question.from), fileOf(question.to)]);
  return { compared: compareValues(before, after, question.named) };
});

async function describe(file: File) {
  const md5 = new Md5();
  const decoder = new TextDecoder();
  let text = '';
  for (let at = 0; at < file.size; at += PART) {
    const bytes = new Uint8Array(await file.slice(at, at + PART).arrayBuffer());
    md5.update(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  const { version, serial, lineage } = stateOf(text + decoder.decode());
  return {
    md5: md5.end(),
    format: typeof version === 'number' ? version : undefined,
    serial: typeof serial === 'number' && Number.isSafeInteger(serial) && serial >= 0 ? serial : undefined,
    lineage: typeof lineage === 'string' ? lineage : undefined,
  };
}

/** Returns an empty object for text that is not JSON; an encrypted state is JSON. */
function stateOf(text: string): StateFile {
  try {
    const state = parseExactJson(text);
    return hasParts(state) ? state : {};
  } catch {
    return {};
  }
}

function fileOf(id: string): Promise<StateFile> {
  const known = files.get(id);
  if (known) return known;
  const file = download(id);
  file.catch(() => files.delete(id));
  files.set(id, file);
  for (const old of [...files.keys()].slice(0, -MOST_FILES)) files.delete(old);
  return file;
}

async function download(id: string): Promise<StateFile> {
  const response = await fetch(`/api/v2/state-versions/${encodeURIComponent(id)}/download`, {
    headers: { 'x-lockkeeper-console': '1' },
  });
  if (!response.ok) throw new Error(texts.theStateCouldNot(response.status));
  return parseExactJson(await response.text()) as StateFile;
}
