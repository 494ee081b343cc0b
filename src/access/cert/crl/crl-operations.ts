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
 * Maximum size of the body of a write: half a million entries in PEM.
 * @limit a CRL in a request, bytes -> 413; use url for a larger one
 */
export const CRL_BODY_BYTES = 32 * 2 ** 20;

const LIST = { name: 'Name of the CRL, in any case.' };

/** `serial` returns one serial number instead of a page. */
const SERIAL_FIELDS = {
  ...PAGE_FIELDS,
  ...described(
    { serial: text() },
    { serial: 'Serial number to look for, decimal. The answer contains only this one, if it is revoked.' },
  ),
};

/** Names are case-insensitive. */
const NAME = { param: 'name', of: (name: string) => name.toLowerCase() };
const nameOf = ({ params }: OpenCall): string => roleName(params.name ?? '');

/** Routes of CRLs at their mount (spec §4): `/crls` and `/crls/:name`. */
export function crlOperations(crls: CrlService, clock: Clock): readonly Operation[] {
  return [
    {
      path: 'crls',
      verb: 'list',
      id: 'cert-list-crls',
      summary: 'List CRLs; with `detail` the fields of each, without its serial numbers',
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
      summary: 'Upload a CRL, or set the URL to fetch it from',
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
      summary: 'Read a CRL with all its serial numbers, a page of them, or one',
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
      summary: 'Delete a CRL',
      answers: answersNothing(),
      parameters: LIST,
      async handle(call) {
        await crls.remove(nameOf(call));
        return DONE;
      },
    },
  ];
}

/**
 * Returns the serial number if the CRL contains it.
 * @throws AppError bad-request
 */
function onlyOf({ loaded }: CrlReading, text: string): Iterable<Uint8Array> {
  const serial = serialOf(text);
  if (serial === undefined) throw new AppError('bad-request', "'serial' must be a decimal serial number");
  return loaded.list.serials.find(serial) === undefined ? [] : [serial];
}

/**
 * Returns all serial numbers, or `limit` of them after `after`, in the order of the CRL.
 * @throws AppError bad-request
 */
function serialsOf({ loaded }: CrlReading, { after, most }: Page): Iterable<Uint8Array> {
  const { serials } = loaded.list;
  const serial = serialOf(after);
  const page = after === '' ? serials.serials(most) : serial && serials.serials(most, serial);
  if (!page) throw new AppError('bad-request', "'after' is not a serial number of this CRL");
  return page;
}
