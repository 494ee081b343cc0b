import { Readable } from 'node:stream';
import type { Clock } from '../../../lib/clock.ts';
import { AppError } from '../../../lib/errors.ts';
import { serialOf } from '../../../revocation/crl/index.ts';
import { roleName } from '../../method/index.ts';
import { answersData, answersKeysInDetail, answersNothing, answersWarnings } from '../../operation/answer.ts';
import { described, parseFields, text } from '../../operation/fields.ts';
import { DETAIL_FIELDS, detailedReply, PAGE_FIELDS, type Page, pageOf } from '../../operation/listing.ts';
import { DONE, type OpenCall, type Operation } from '../../operation/operation.ts';
import { Crl, CrlInfo, crlDocument, withSerials } from './crl-document.ts';
import { CRL_FIELDS } from './crl-fields.ts';
import type { CrlReading, CrlService } from './crl-service.ts';

/**
 * Bytes of the body of a write: half a million entries in PEM; larger lists come by `url`.
 * @limit a list in a request, bytes -> 413; a larger one comes by url
 */
export const CRL_BODY_BYTES = 32 * 2 ** 20;

const LIST = { name: 'The revocation list, in any case.' };

/** `?serial=N` in place of a page. */
const SERIAL_FIELDS = {
  ...PAGE_FIELDS,
  ...described({ serial: text() }, { serial: 'The only serial number to be shown, where it is on the list: decimal.' }),
};

/** Names are case-insensitive. */
const NAME = { param: 'name', of: (name: string) => name.toLowerCase() };
const nameOf = ({ params }: OpenCall): string => roleName(params.name ?? '');

/** The revocation lists under their mount (spec §4): `/crls` and `/crls/:name`. */
export function crlOperations(crls: CrlService, clock: Clock): readonly Operation[] {
  return [
    {
      path: 'crls',
      verb: 'list',
      id: 'cert-list-crls',
      summary: 'List revocation lists; with `detail` what a read shows of each but its serial numbers',
      answers: answersKeysInDetail(CrlInfo),
      fields: DETAIL_FIELDS,
      handle: (call) =>
        detailedReply(call, {
          names: (after, most) => crls.names(after, most),
          page: (after, most) => crls.page(after, most),
          infoOf: (reading) => crlDocument(reading, clock()),
        }),
    },
    {
      path: 'crls/:name',
      canonical: NAME,
      verb: 'update',
      id: 'cert-write-crl',
      summary: 'Upload a revocation list, or say where it is fetched from',
      answers: answersWarnings(),
      parameters: LIST,
      fields: CRL_FIELDS,
      bodyLimit: CRL_BODY_BYTES,
      longTexts: true,
      async handle(call) {
        return { warnings: await crls.write(nameOf(call), call.data) };
      },
    },
    {
      path: 'crls/:name',
      canonical: NAME,
      verb: 'read',
      id: 'cert-read-crl',
      summary: 'Read a revocation list, its serial numbers in pages where asked for, or one of them',
      answers: answersData(Crl),
      parameters: LIST,
      fields: SERIAL_FIELDS,
      async handle(call) {
        const reading = await crls.read(nameOf(call));
        const { serial = '' } = parseFields(SERIAL_FIELDS, call.data).values;
        const serials = serial === '' ? serialsOf(reading, pageOf(call.data)) : onlyOf(reading, serial);
        return {
          data: { ...crlDocument(reading, clock()), serials: {} },
          stream: (json) => Readable.from(withSerials(json, serials)),
        };
      },
    },
    {
      path: 'crls/:name',
      canonical: NAME,
      verb: 'delete',
      id: 'cert-delete-crl',
      summary: 'Delete a revocation list',
      answers: answersNothing(),
      parameters: LIST,
      async handle(call) {
        await crls.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}

/** The one that is asked for, where the list has it. */
function onlyOf({ loaded }: CrlReading, text: string): Iterable<Uint8Array> {
  const serial = serialOf(text);
  if (serial === undefined) throw new AppError('bad-request', "'serial' is not a serial number: decimal digits");
  return loaded.list.serials.find(serial) === undefined ? [] : [serial];
}

/** The serial numbers that a read asks for: all, or `limit` of them from behind `after` on, in the order of the list. */
function serialsOf({ loaded }: CrlReading, { after, most }: Page): Iterable<Uint8Array> {
  const { serials } = loaded.list;
  const serial = serialOf(after);
  const page = after === '' ? serials.serials(most) : serial && serials.serials(most, serial);
  if (!page) throw new AppError('bad-request', "'after' is not a serial number of this CRL");
  return page;
}
