//! Which cores work is done on.

/// The cores this process may use, by number; empty where that is not known.
#[must_use]
pub fn available() -> Vec<usize> {
    #[cfg(target_os = "linux")]
    if let Ok(set) = rustix::thread::sched_getaffinity(None) {
        return (0..rustix::thread::CpuSet::MAX_CPU).filter(|&core| set.is_set(core)).collect();
    }
    Vec::new()
}

/// How many threads can run at once.
#[must_use]
pub fn count() -> usize {
    match available().len() {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        cores => cores,
    }
}

/// How many threads of the whole machine wanted to run during the last minute; `None` where that is not known.
#[must_use]
pub fn load() -> Option<f64> {
    read_load(&std::fs::read_to_string("/proc/loadavg").ok()?)
}

fn read_load(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Keeps this thread, and every thread and process it starts from now on, on these cores. Whether that worked.
pub fn pin(cores: &[usize]) -> bool {
    #[cfg(target_os = "linux")]
    {
        let mut set = rustix::thread::CpuSet::new();
        cores.iter().for_each(|&core| set.set(core));
        !cores.is_empty() && rustix::thread::sched_setaffinity(None, &set).is_ok()
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = cores;
        false
    }
}

/// The cores of each of `workers` workers with `threads` threads; `None` if there are not enough.
#[must_use]
pub fn share_out(available: &[usize], workers: usize, threads: usize) -> Option<Vec<Vec<usize>>> {
    let enough = threads > 0 && workers * threads <= available.len();
    enough.then(|| available.chunks(threads).take(workers).map(<[usize]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_get_cores_of_their_own_or_none() {
        assert_eq!(share_out(&[0, 1, 4, 5], 2, 2), Some(vec![vec![0, 1], vec![4, 5]]));
        assert_eq!(share_out(&[0, 1, 4], 2, 2), None);
        assert_eq!(share_out(&[], 1, 1), None);
    }

    #[test]
    fn the_load_of_the_last_minute_is_read() {
        assert_eq!(read_load("2.50 1.00 0.50 3/456 789\n"), Some(2.5));
        assert_eq!(read_load(""), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_pinned_thread_stays_where_it_was_put() {
        std::thread::spawn(|| {
            let first = available()[0];
            assert!(pin(&[first]));
            assert_eq!(available(), [first]);
            assert!(!pin(&[]));
        })
        .join()
        .unwrap();
    }
}
