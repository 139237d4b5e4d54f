//! An allocator that counts, and the loop that times.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Instant,
};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator as it came; the count is all that is added.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Relaxed);
        unsafe { System.realloc(place, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// What one operation costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) nanoseconds: f64,
    pub(crate) allocations: usize,
}

/// One thing that is measured.
pub(crate) struct Case<'c> {
    pub(crate) title: &'static str,
    run: Box<dyn FnMut(u32) + 'c>,
    pub(crate) cost: Cost,
}

impl<'c> Case<'c> {
    pub(crate) fn new<T>(title: &'static str, mut operation: impl FnMut() -> T + 'c) -> Self {
        // The loop is inside, so that an operation costs no call through a pointer.
        let run = Box::new(move |times| {
            for _ in 0..times {
                black_box(operation());
            }
        });
        Self { title, run, cost: Cost { nanoseconds: f64::MAX, allocations: 0 } }
    }
}

/// Times all cases in turn, again and again, and keeps the best time of each: what the machine does besides can
/// only make a time longer, and takes from all cases alike.
pub(crate) fn measure(cases: &mut [Case<'_>], rounds: u32, times: u32) {
    for case in &mut *cases {
        (case.run)(times);
        let before = ALLOCATIONS.load(Relaxed);
        (case.run)(1);
        case.cost.allocations = ALLOCATIONS.load(Relaxed) - before;
    }
    for _ in 0..rounds {
        for case in &mut *cases {
            let started = Instant::now();
            (case.run)(times);
            let each = started.elapsed().as_secs_f64() * 1e9 / f64::from(times);
            case.cost.nanoseconds = case.cost.nanoseconds.min(each);
        }
    }
}
