//! Text records: CSA, KIF, KI2, JKF, USI.
