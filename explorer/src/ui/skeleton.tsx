import styles from "./skeleton.module.css";

/** Keeps the room of what is awaited. Height in pixels. */
export function Skeleton({ height }: { height: number }) {
  return <div className={styles.skeleton} style={{ height }} aria-busy="true" />;
}
