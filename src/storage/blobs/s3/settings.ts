/** How an S3-compatible store is reached. */
export interface S3Settings {
  readonly bucket: string;
  readonly region: string;
  /** `https://s3.example.com`; absent: the one of AWS in that region. */
  readonly endpoint?: string;
  /** What the names of our objects begin with: empty, or `lockkeeper/`. */
  readonly prefix: string;
  /** The bucket in the path of an address, not in its host. */
  readonly forcePathStyle: boolean;
  /** Absent: what the AWS SDK finds by itself (environment, profile, role of the machine). */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}
