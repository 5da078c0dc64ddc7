// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {Token} from "./Markets.sol";

// PancakeSwap Infinity Bin

struct BinKey {
    address currency0;
    address currency1;
    address hooks;
    address poolManager;
    uint24 fee;
    bytes32 parameters;
}

struct BinMint {
    bytes32[] liquidityConfigs;
    bytes32 amountIn;
    bytes32 salt;
}

struct BinBurn {
    uint256[] ids;
    uint256[] amountsToBurn;
    bytes32 salt;
}

interface IBins {
    function initialize(BinKey memory key, uint24 activeId) external;
    function mint(BinKey memory key, BinMint calldata params, bytes calldata data) external;
    function burn(BinKey memory key, BinBurn memory params, bytes calldata data) external;
    function swap(BinKey memory key, bool swapForY, int128 amount, bytes calldata data) external;
    function donate(BinKey memory key, uint128 amount0, uint128 amount1, bytes calldata data) external;
    function getBin(bytes32 id, uint24 bin) external view returns (uint128, uint128, uint256, uint256);
    function getPosition(bytes32 id, address owner, uint24 bin, bytes32 salt)
        external
        view
        returns (uint256 share);
}

interface IBinVault {
    function lock(bytes calldata data) external returns (bytes memory);
    function currencyDelta(address settler, address currency) external view returns (int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

/** Trades with the BinPoolManager, as the owner of positions. */
contract BinTrader {
    IBinVault immutable vault;
    IBins immutable manager;

    constructor(IBinVault _vault, IBins _manager) {
        vault = _vault;
        manager = _manager;
    }

    receive() external payable {}

    /** The vault calls this contract with `inner`. */
    function run(bytes memory inner) external {
        vault.lock(inner);
    }

    function lockAcquired(bytes memory inner) external returns (bytes memory) {
        require(msg.sender == address(vault));
        (bool isDone, bytes memory answer) = address(this).call(inner);
        if (!isDone) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        return "";
    }

    function settle(address currency) internal {
        int256 delta = vault.currencyDelta(address(this), currency);
        if (delta > 0) vault.take(currency, address(this), uint256(delta));
        if (delta >= 0) return;
        vault.sync(currency);
        if (currency == address(0)) {
            vault.settle{value: uint256(-delta)}();
        } else {
            Token(currency).transfer(address(vault), uint256(-delta));
            vault.settle();
        }
    }

    function settleBoth(BinKey memory key) internal {
        settle(key.currency0);
        settle(key.currency1);
    }

    function initialize(BinKey memory key, uint24 activeId) external {
        manager.initialize(key, activeId);
    }

    function mint(BinKey memory key, BinMint calldata params) external {
        manager.mint(key, params, "");
        settleBoth(key);
    }

    /** Burns this part, in millionths, of the position in each of the bins. */
    function burn(BinKey memory key, uint256[] memory bins, uint256 part) external {
        uint256[] memory shares = new uint256[](bins.length);
        for (uint256 i; i < bins.length; ++i) {
            uint256 share = manager.getPosition(keccak256(abi.encode(key)), address(this), uint24(bins[i]), 0);
            shares[i] = part == 1e6 ? share : share / 1e6 * part;
        }
        manager.burn(key, BinBurn(bins, shares, 0), "");
        settleBoth(key);
    }

    function swap(BinKey memory key, bool swapForY, int128 amount) external {
        manager.swap(key, swapForY, amount, "");
        settleBoth(key);
    }

    function donate(BinKey memory key, uint128 amount0, uint128 amount1) external {
        manager.donate(key, amount0, amount1, "");
        settleBoth(key);
    }

    /** Returns the sum of a pool's bins. */
    function total(bytes32 id, uint24 from, uint24 to) external view returns (uint256 sum0, uint256 sum1) {
        for (uint24 bin = from; bin <= to; ++bin) {
            (uint128 reserve0, uint128 reserve1,,) = manager.getBin(id, bin);
            sum0 += reserve0;
            sum1 += reserve1;
        }
    }

    /** Returns the bins in which this contract has a position. */
    function positions(bytes32 id, uint24 from, uint24 to) external view returns (uint24[] memory bins) {
        bins = new uint24[](to - from + 1);
        uint256 count;
        for (uint24 bin = from; bin <= to; ++bin) {
            if (manager.getPosition(id, address(this), bin, 0) > 0) bins[count++] = bin;
        }
        assembly {
            mstore(bins, count)
        }
    }
}

/** A hook that keeps 1 % of what a swap specifies, and sets the fee. */
contract BinHook {
    IBinVault immutable vault;

    constructor(IBinVault _vault) {
        vault = _vault;
    }

    /** The permissions beforeMint, beforeSwap, and beforeSwap's return delta. */
    function getHooksRegistrationBitmap() external pure returns (uint16) {
        return 0x0444;
    }

    function beforeMint(address, BinKey calldata, BinMint calldata, bytes calldata)
        external
        pure
        returns (bytes4, uint24)
    {
        return (this.beforeMint.selector, 0x400000 | 7000);
    }

    function beforeSwap(address, BinKey calldata key, bool swapForY, int128 amount, bytes calldata)
        external
        returns (bytes4, int256, uint24)
    {
        int128 kept = (amount < 0 ? -amount : amount) / 100;
        address specified = swapForY == (amount < 0) ? key.currency0 : key.currency1;
        vault.take(specified, address(this), uint128(kept));
        return (this.beforeSwap.selector, int256(kept) << 128, 0x400000 | 5000);
    }
}
