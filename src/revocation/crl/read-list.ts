import { yieldIfDue } from '../../lib/slices.ts';
import { type CrlDecoder, type CrlInfo, CrlParser, decoderFor } from '../../x509/index.ts';
import { EntryArena } from './entry-arena.ts';
import { inPieces } from './pieces.ts';
import { RevokedSerials } from './revoked-serials.ts';

/** A parsed CRL: its metadata and its serial numbers. */
export interface ReadList {
  readonly info: CrlInfo;
  readonly serials: RevokedSerials;
}

/**
 * Parses one CRL, DER or PEM, while it arrives. Never blocks the event loop for more than a few milliseconds.
 * @param onDer gets the DER of the CRL piece by piece; parsing waits for it (back-pressure)
 * @throws ParseError, and any error of the source and of `onDer`
 */
export async function readList(
  source: AsyncIterable<Uint8Array>,
  onDer: (der: Buffer) => Promise<void> = async () => {},
): Promise<ReadList> {
  const arena = new EntryArena();
  const parser = new CrlParser((entry) => arena.add(entry));
  let decoder: CrlDecoder | undefined;
  for await (const bytes of inPieces(source)) {
    decoder ??= decoderFor(bytes);
    const der = decoder.write(bytes);
    parser.write(der);
    await onDer(der);
    await yieldIfDue();
  }
  decoder?.end();
  const info = parser.end();
  return { info, serials: await index(arena) };
}

async function index(arena: EntryArena): Promise<RevokedSerials> {
  const steps = RevokedSerials.fromArena(arena);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldIfDue();
  }
}
