import styles from './basin.module.css';

/** Draws a lock from above at the size of the page: two gates, and the water between them. */
export function Basin() {
  return (
    <div className={styles.basin} aria-hidden="true">
      <svg viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <path className={styles.high} d="M200 0h320v248l-160-96-160 96Z" />
        <path className={styles.high} d="M200 248l160-96 160 96v420l-160-96-160 96Z" />
        <path className={styles.wall} d="M-40-1h240v902H-40ZM760-1H520v902h240Z" />
        <path
          className={styles.faint}
          d="M-40 100h240M-40 300h240M-40 500h240M-40 700h240M520 100h240M520 300h240M520 500h240M520 700h240M80-1v902M640-1v902"
        />
        <path
          className={styles.hairs}
          d="M178 278h14M186 296h6M186 314h6M186 332h6M186 350h6M178 368h14M186 386h6M186 404h6M186 422h6M186 440h6M178 458h14M186 476h6M186 494h6M186 512h6M186 530h6M178 548h14M186 566h6M186 584h6M186 602h6M186 620h6M178 638h14"
        />
        <path className={styles.level} d="M166 386h34" />
        <path className={styles.arm} d="M200 248 40 344M520 248l160 96M200 668 40 764M520 668l160 96" strokeWidth="6" />
        <path className={styles.leaf} d="M200 248l160-96 160 96M200 668l160-96 160 96" />
      </svg>
    </div>
  );
}
