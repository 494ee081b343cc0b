import type { Keyring, SealedColumn } from '../../../storage/index.ts';
import type { DeliveryResponse } from '../../delivery/index.ts';

/** Encrypted fields of a configuration: the URL permits posting, and responses may contain anything. */
export interface Secrets {
  readonly url: string;
  readonly token: string | null;
  readonly responses: readonly DeliveryResponse[];
}

/** Encrypted fields as stored. */
export type SealedSecrets = {
  readonly url: Uint8Array;
  readonly token: Uint8Array | null;
  readonly responses: Uint8Array | null;
};

const contextOf = (column: keyof Secrets) => (id: string) => `notification-${column}/${id}`;

/** Encrypts the secret fields of configurations, each bound to its row and column. */
export class NotificationSealing {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  sealed(id: string, { url, token, responses }: Secrets): SealedSecrets {
    return {
      url: this.#seal('url', id, url),
      token: token === null ? null : this.#seal('token', id, token),
      responses: this.responses(id, responses),
    };
  }

  responses(id: string, responses: readonly DeliveryResponse[]): Uint8Array | null {
    return responses.length === 0 ? null : this.#seal('responses', id, JSON.stringify(responses));
  }

  opened(id: string, { url, token, responses }: SealedSecrets): Secrets {
    return {
      url: this.#open('url', id, url),
      token: token === null ? null : this.#open('token', id, token),
      responses: this.openedResponses(id, responses),
    };
  }

  openedUrl(id: string, sealed: Uint8Array): string {
    return this.#open('url', id, sealed);
  }

  openedResponses(id: string, sealed: Uint8Array | null): readonly DeliveryResponse[] {
    return sealed === null ? [] : (JSON.parse(this.#open('responses', id, sealed)) as DeliveryResponse[]);
  }

  #seal(column: keyof Secrets, id: string, text: string): Uint8Array {
    return this.#keyring.encrypt(Buffer.from(text), contextOf(column)(id));
  }

  #open(column: keyof Secrets, id: string, sealed: Uint8Array): string {
    return Buffer.from(this.#keyring.decrypt(sealed, contextOf(column)(id))).toString();
  }
}

export const sealedNotifications: readonly SealedColumn[] = (['url', 'token', 'responses'] as const).map((column) => ({
  table: 'notification_configuration',
  key: ['id'],
  column,
  boundTo: column === 'token' ? ['url'] : [],
  contextOf: contextOf(column),
}));
